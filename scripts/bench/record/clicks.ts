import { catalogue } from "../../../src/catalogue.ts";
import process from "node:process";
import { pause } from "../../../src/base/call.ts";
import type { Desktop } from "../../../src/desktop/desktop.ts";
import { inBackground, recordInput } from "../../../src/desktop/mode.ts";
import { Recorder } from "../../../src/record/recorder.ts";
import type { Session } from "../../../src/session/session.ts";
import { plans } from "../../recordings/acts.ts";
import { Injector } from "../../recordings/injector.ts";
import { Person } from "../../recordings/person.ts";
import { RecordStage } from "../../recordings/stage.ts";

/** Clicks that are counted, and those before, in which everything is loaded. */
const CLICKS = 30;
const BEFORE = 5;
/** Milliseconds that a person rests after a click: the application comes to rest and is looked at. */
const RESTS = 700;
/** Looks of which the cost of one is the mean. */
const LOOKS = 60;
/** What the recorder reads of an application. */
const FIELDS = ["extents", "value", "id", "selection"] as const;

/** What a click costs the recorder, in milliseconds each. */
export interface ClickRow {
  /** Processor time of the whole process, with the events of the application. */
  readonly cpu_ms: number;
  /** What of it is looks at the application: reading its tree. */
  readonly looks_ms: number;
  readonly beside_ms: number;
  readonly looks: number;
  /** Waiting for answers to questions that are no looks: what lies at a point, which windows there are, what a field holds. */
  readonly asked_ms: number;
  readonly clicks: number;
}

/** Records clicks on check boxes of a GTK 3 application. */
export async function clicks(): Promise<ClickRow> {
  await using stage = await RecordStage.open("gtk3");
  await using injector = await Injector.start(stage.session);
  const person = new Person(injector);
  const counted = new Counted(stage.session.desktop);
  const session: Session = { ...stage.session, desktop: counted.desktop };
  const recorder = await Recorder.start(session, await recordInput(stage.session.desktop), {
    name: "clicks",
    operations: catalogue,
  });
  let steps = 0, cpu = 0, looks = 0, asked = 0;
  try {
    for (let n = 0; n < BEFORE + CLICKS; n++) {
      if (n === BEFORE) counted.clear(), cpu = cpuNow();
      const name = n % 2 === 0 ? "Bold" : "Italic";
      const places = await stage.snapshot();
      if (n >= BEFORE) counted.own++;
      await plans.click("check", name).run(person, { ...stage.sight, look: () => Promise.resolve(places) });
      await pause(RESTS);
      await recorder.idle();
    }
    cpu = cpuNow() - cpu, looks = counted.looks, asked = counted.asked;
  } finally {
    steps = (await recorder.stop()).steps.length;
  }
  if (steps < CLICKS) throw new Error(`${steps} steps of ${BEFORE + CLICKS} clicks`);
  const look = await costOfLook(stage);
  // The places that the person looks up are read too.
  const looks_ms = look * (looks + counted.own) / CLICKS;
  return {
    cpu_ms: cpu / CLICKS,
    looks_ms,
    beside_ms: Math.max(0, cpu / CLICKS - looks_ms),
    looks: looks / CLICKS,
    asked_ms: asked / CLICKS,
    clicks: CLICKS,
  };
}

async function costOfLook({ session, application }: RecordStage): Promise<number> {
  const began = cpuNow();
  for (let n = 0; n < LOOKS; n++) {
    await session.desktop.snapshot(application, { fields: FIELDS });
    await session.desktop.windows();
  }
  return (cpuNow() - began) / LOOKS;
}

function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The same desktop, with what is asked of it counted. */
class Counted {
  looks = 0;
  asked = 0;
  /** Looks of the bench itself. */
  own = 0;
  readonly desktop: Desktop;

  constructor(raw: Desktop) {
    const timed = async <T>(work: Promise<T>): Promise<T> => {
      const began = performance.now();
      try {
        return await work;
      } finally {
        this.asked += performance.now() - began;
      }
    };
    this.desktop = {
      ...inBackground(raw),
      snapshot: (application, options) => {
        this.looks++;
        return raw.snapshot(application, options);
      },
      windows: (call) => timed(raw.windows(call)),
      elementAt: (application, x, y, call) => timed(raw.elementAt(application, x, y, call)),
      read: (element, call) => timed(raw.read(element, call)),
    };
  }

  clear(): void {
    this.looks = this.asked = this.own = 0;
  }
}

import { BackstepError, type Json } from "../../../base/error.ts";
import type { Application } from "../../../desktop/desktop.ts";
import type { McpSession, SharedHost } from "../../server/call.ts";
import type { Insight } from "../axterminator/insight.ts";
import { appsPart, clipboardPart, tellsOfApplications } from "./session-parts.ts";
import { stateParts } from "./state-parts.ts";
import { treePart } from "./tree-part.ts";
import { DesktopEvents } from "./desktop-events.ts";
import { Recorder } from "./event-recorder.ts";
import { LastTree } from "./last-tree.ts";
import { Looks } from "./shared-reads.ts";
import type { Timers } from "./timers.ts";
import { type Follower, Topic, type TopicOptions } from "./topic.ts";
import { tellsOfTitles, WindowPoll } from "./window-poll.ts";

/** Milliseconds that asking which applications run may take. */
const ASK = 5_000;

/** What can be followed. */
export type Subject = { readonly what: "apps" | "clipboard" } | OfApplication;
type OfApplication =
  | { readonly what: "state" | "events"; readonly application: Application }
  | { readonly what: "tree"; readonly application: Application; readonly window: number | undefined };

/** One application that is followed. */
interface Followed {
  readonly application: Application;
  readonly events: DesktopEvents;
  readonly looks: Looks;
  readonly topics: Map<string, Topic>;
  recorder: Recorder | undefined;
}

/**
 * What is followed on the desktop of one server, for all of its clients: each subject once, over one watch of its
 * application and one of all of them. Nothing is watched when nobody follows anything and is connected to nothing.
 */
export class LiveResources {
  readonly #host: SharedHost;
  readonly #timers: Timers;
  readonly #insight: Insight | undefined;
  readonly #all: DesktopEvents;
  readonly #poll: WindowPoll;
  readonly #applications = new Map<string, Followed>();
  readonly #common = new Map<string, Topic>();
  readonly #attended = new Set<McpSession>();
  readonly #recording = new WeakMap<McpSession, Set<string>>();
  #deaf: (() => void) | undefined;
  #asking = false;
  #again = false;

  constructor(host: SharedHost, timers: Timers, insight: Insight | undefined) {
    this.#host = host;
    this.#timers = timers;
    this.#insight = insight;
    this.#all = new DesktopEvents(() => host.desktop.desktop, undefined, timers);
    this.#poll = new WindowPoll(() => host.desktop.desktop, timers);
  }

  /** Watches of the desktop that stand. */
  get watches(): number {
    return [this.#all, ...[...this.#applications.values()].map(({ events: listener }) => listener)].filter((
      { open },
    ) => open)
      .length;
  }

  /** Follows a subject; the answer stops it. */
  follow(subject: Subject, follower: Follower): Promise<() => void> {
    return this.#topic(subject).follow(follower);
  }

  /**
   * What happened in an application lately. Recording begins with the first question or subscription, and goes on while a
   * session that asked is connected to it or somebody follows it.
   */
  async events(application: Application, session: McpSession): Promise<Json> {
    const { bus } = application;
    const mine = this.#recording.get(session) ?? new Set<string>();
    this.#recording.set(session, mine);
    if (!mine.has(bus)) {
      mine.add(bus);
      let stop: () => void;
      try {
        stop = await this.follow({ what: "events", application }, { changed: () => {} });
      } catch (error) {
        mine.delete(bus);
        throw error;
      }
      const connected = () => session.connections.list.some((one) => one.application.bus === bus);
      const over = () => {
        mine.delete(bus);
        deaf();
        stop();
      };
      const deaf = session.connections.onChange(() => connected() || over());
      session.over.addEventListener("abort", over, { once: true });
      if (session.over.aborted || !connected()) over();
    }
    const recorder = this.#applications.get(bus)?.recorder;
    return recorder === undefined ? { events: [] } : await recorder.read();
  }

  /** Looks after a session's connections: applications that end are forgotten by it. */
  attend(session: McpSession): void {
    if (this.#attended.has(session) || session.over.aborted) return;
    this.#attended.add(session);
    const deaf = session.connections.onChange(() => this.#listen());
    session.over.addEventListener("abort", () => {
      this.#attended.delete(session);
      deaf();
      this.#listen();
    }, { once: true });
    this.#listen();
  }

  #topic(subject: Subject): Topic {
    return "application" in subject ? this.#topicOf(subject) : this.#commonTopic(subject.what);
  }

  #topicOf(subject: OfApplication): Topic {
    const { what, application } = subject;
    const followed = this.#followed(application);
    const key = what === "tree" ? `tree ${subject.window ?? ""}` : what;
    const standing = followed.topics.get(key);
    if (standing !== undefined && !standing.finished) return standing;
    const topic: Topic = new Topic({
      ...this.#partsOf(subject, followed),
      timers: this.#timers,
      listen: (heard, over) => {
        const deaf = followed.events.listen((events) => {
          followed.looks.heard();
          heard(events);
        }, over);
        const blind = tellsOfTitles(application) ? undefined : this.#poll.listen(application, heard);
        return () => (deaf(), blind?.());
      },
      onEmpty: () => {
        if (followed.topics.get(key) === topic) followed.topics.delete(key);
        if (what === "events") followed.recorder = undefined;
        if (followed.topics.size === 0 && this.#applications.get(application.bus) === followed) {
          this.#applications.delete(application.bus);
        }
        this.#listen();
      },
    });
    followed.topics.set(key, topic);
    this.#listen();
    return topic;
  }

  #partsOf(
    subject: OfApplication,
    followed: Followed,
  ): Pick<TopicOptions, "parts" | "gather"> {
    const { desktop } = this.#host.desktop;
    const { application } = subject;
    const { looks } = followed;
    const insight = this.#insight;
    switch (subject.what) {
      case "tree":
        return {
          parts: [
            treePart({ desktop, application, window: subject.window, lastTree: new LastTree(), looks }),
          ],
        };
      case "state":
        return {
          parts: stateParts({ desktop, application, insight, lastTree: new LastTree(), looks }),
          gather: true,
        };
      case "events":
        followed.recorder = new Recorder({ desktop, application, insight });
        return { parts: followed.recorder.parts };
    }
  }

  #commonTopic(what: "apps" | "clipboard"): Topic {
    const standing = this.#common.get(what);
    if (standing !== undefined && !standing.finished) return standing;
    const { desktop } = this.#host;
    const topic: Topic = new Topic({
      timers: this.#timers,
      onEmpty: () => void (this.#common.get(what) === topic && this.#common.delete(what)),
      ...(what === "apps"
        ? {
          parts: [appsPart(desktop)],
          listen: (heard, over) => this.#all.listen(heard, over),
        }
        : { parts: [clipboardPart(desktop)], poll: "always" }),
    });
    this.#common.set(what, topic);
    return topic;
  }

  #followed(application: Application): Followed {
    const standing = this.#applications.get(application.bus);
    if (standing !== undefined) return standing;
    const listener = new DesktopEvents(() => this.#host.desktop.desktop, application, this.#timers);
    const looks = new Looks(() => this.#host.desktop.desktop, application, this.#timers);
    const followed: Followed = {
      application,
      events: listener,
      looks,
      topics: new Map(),
      recorder: undefined,
    };
    this.#applications.set(application.bus, followed);
    return followed;
  }

  /** Whoever matters: applications that are followed, and those that sessions are connected to. */
  #cared(): Map<string, Application> {
    const connected = [...this.#attended].flatMap(({ connections }) => connections.list);
    const all = [...connected, ...this.#applications.values()].map(({ application }) => application);
    return new Map(all.map((application) => [application.bus, application]));
  }

  /** Listens to who comes and goes while there is somebody who could go. */
  #listen(): void {
    const wanted = this.#cared().size > 0;
    if (wanted && this.#deaf === undefined) {
      this.#deaf = this.#all.listen((heard) => {
        if (heard === "lost" || heard.some(tellsOfApplications)) this.#ask();
      });
    } else if (!wanted) {
      this.#deaf?.();
      this.#deaf = undefined;
    }
  }

  /** Which applications still run; asked once more when something came meanwhile. */
  #ask(): void {
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    this.#again = false;
    this.#host.desktop.desktop.applications({ timeout: ASK }).then((running) => {
      const there = new Set(running.map(({ bus }) => bus));
      for (const application of this.#cared().values()) {
        if (!there.has(application.bus)) this.#finished(application);
      }
    }, (error: unknown) => {
      // Asked again with the next event; who uses an application that has ended is told so anyway.
      if (!(error instanceof BackstepError)) throw error;
    }).finally(() => {
      this.#asking = false;
      if (this.#again && this.#deaf !== undefined) this.#ask();
    });
  }

  #finished({ bus, pid }: Application): void {
    for (const topic of [...this.#applications.get(bus)?.topics.values() ?? []]) topic.end();
    for (const { connections } of [...this.#host.sessions, ...this.#attended]) {
      if (connections.list.some(({ application }) => application.bus === bus)) connections.forget(pid);
    }
  }
}

const byHost = new WeakMap<SharedHost, LiveResources>();

/** What is followed on a server. */
export function liveResourcesOf(
  host: SharedHost,
  timers: Timers,
  insight: Insight | undefined,
): LiveResources {
  const standing = byHost.get(host);
  if (standing !== undefined) return standing;
  const live = new LiveResources(host, timers, insight);
  byHost.set(host, live);
  return live;
}

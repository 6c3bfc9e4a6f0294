import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { BackstepError } from "../../base/error.ts";
import { identify } from "../../session/processes.ts";
import { type Account, ordinaryAccount } from "./account.ts";
import { postgresFolder, runProgram } from "./programs.ts";

/** Milliseconds for making a database, for starting it after a crash, and for stopping it. */
const PATIENCE = { make: 120_000, start: 60_000, stop: 60_000 } as const;
/** Bytes that the path of a socket may have, with its name behind. */
const LONGEST = 90;
const USER = "backstep";
const DATABASE = "postgres";

/** What an embedded PostgreSQL is made with. */
export interface EmbeddedOptions {
  /** Everything of it lies in this folder. */
  readonly folder: string;
  /** Further settings of the server, as `name=value`. */
  readonly settings?: readonly string[];
}

/** What means something to a shell between the quotation marks that `pg_ctl` puts around a path. */
const UNQUOTED = /["$`\\\n]/;

/** As `pg_ctl` has a shell read it. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * A PostgreSQL for one machine, in a folder: Debian's programs, run as an ordinary user. It listens on a socket in that
 * folder alone, which nobody else may enter, and asks for a password that only the folder's owner can read.
 */
export class EmbeddedPostgres {
  readonly #folder: string;
  readonly #programs: string;
  readonly #account: Account | undefined;
  readonly #settings: readonly string[];

  /** Throws `usage` for a folder that cannot be, `missing` without PostgreSQL, `unsupported` where nobody could run it. */
  constructor({ folder, settings = [] }: EmbeddedOptions) {
    if (UNQUOTED.test(folder)) {
      throw new BackstepError(
        "usage",
        `Cannot keep a database in ${JSON.stringify(folder)}: pg_ctl has a shell read its path`,
        { hint: "Choose a folder without quotation marks, $, ` and \\: --data DIR" },
      );
    }
    this.#folder = folder;
    this.#settings = settings;
    this.#programs = postgresFolder();
    this.#account = ordinaryAccount();
    if (Buffer.byteLength(folder) > LONGEST) {
      throw new BackstepError(
        "usage",
        `Cannot keep a database in ${folder}: its path is too long for a socket`,
        {
          hint: "Choose a folder with a shorter path: --data DIR",
        },
      );
    }
  }

  /** The URL of its database, once it was started. */
  get url(): string {
    const password = readFileSync(join(this.#folder, "password"), "utf8").trim();
    return `postgres://${USER}:${password}@/${DATABASE}?host=${encodeURIComponent(this.#folder)}`
      .replace("@/", "@localhost/");
  }

  /** Makes it where it is not there yet, and starts it unless it runs. Answers whether it had to be started. */
  async start(): Promise<boolean> {
    await this.#make();
    if (await this.runs()) return false;
    const settings = [
      "listen_addresses=",
      // A list, in which a comma or a space would begin the next folder.
      `unix_socket_directories="${this.#folder}"`,
      "unix_socket_permissions=0700",
      "max_connections=100",
      "autovacuum_naptime=10s",
      ...this.#settings,
    ];
    // The folder lets nobody but the account in; this process comes in as root, or is that account.
    const args = [
      "start",
      "-D",
      this.#data,
      "-w",
      "-t",
      String(PATIENCE.start / 1_000),
      "-l",
      join(this.#folder, "log"),
    ];
    await runProgram(join(this.#programs, "pg_ctl"), [
      ...args,
      "-o",
      settings.map((one) => `-c ${quoted(one)}`).join(" "),
    ], {
      account: this.#account,
      timeout: PATIENCE.start + 5_000,
    });
    return true;
  }

  /** The server's process, while it runs. */
  get pid(): number | undefined {
    const file = join(this.#data, "postmaster.pid");
    const pid = existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : NaN;
    return Number.isInteger(pid) ? pid : undefined;
  }

  /** Does it run? */
  async runs(): Promise<boolean> {
    const { pid } = this;
    if (pid === undefined) return false;
    // One that died and is not waited for yet counts as running for pg_ctl.
    if (process.platform === "linux" && identify(pid) === undefined) return false;
    try {
      await this.#control("status", [], 10_000);
      return true;
    } catch (thrown) {
      if (thrown instanceof BackstepError && thrown.code === "io") return false;
      throw thrown;
    }
  }

  /** Ends it: open transactions are rolled back. */
  async stop(): Promise<void> {
    if (await this.runs()) await this.#control("stop", ["-m", "fast", "-w"], PATIENCE.stop);
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  async #control(action: string, more: readonly string[], timeout: number): Promise<void> {
    const args = [action, "-D", this.#data, ...more];
    await runProgram(join(this.#programs, "pg_ctl"), args, { account: this.#account, timeout });
  }

  async #make(): Promise<void> {
    if (existsSync(join(this.#data, "PG_VERSION"))) return;
    // What a first try left that was cut off.
    rmSync(this.#data, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#give(this.#folder);
    chmodSync(this.#folder, 0o700);
    const file = join(this.#folder, "password");
    writeFileSync(file, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
    this.#give(file);
    await runProgram(
      join(this.#programs, "initdb"),
      ["-D", this.#data, "-U", USER, "-E", "UTF8", "--locale=C", "-A", "scram-sha-256", `--pwfile=${file}`],
      { account: this.#account, timeout: PATIENCE.make },
    );
  }

  #give(path: string): void {
    const account = this.#account;
    if (account && statSync(path).uid !== account.uid) chownSync(path, account.uid, account.gid);
  }
}

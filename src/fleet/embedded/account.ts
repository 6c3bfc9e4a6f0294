import { readFileSync } from "node:fs";
import process from "node:process";
import { BackstepError } from "../../base/error.ts";

/** Who a program runs as. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Accounts without rights, the best first: PostgreSQL refuses to run as root. */
const ORDINARY = ["postgres", "nobody"];

/** Who PostgreSQL runs as where this process is root; undefined: as whoever this is. */
export function ordinaryAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n").map((line) => line.split(":"));
  for (const name of ORDINARY) {
    const [, , uid, gid] = accounts.find(([one]) => one === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new BackstepError(
    "unsupported",
    `Cannot start PostgreSQL as root: none of the accounts ${ORDINARY.join(", ")} exists`,
    { hint: "Run the command as an ordinary user." },
  );
}

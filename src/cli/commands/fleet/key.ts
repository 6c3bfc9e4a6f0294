import { fleetSecret, KEY_VARIABLE } from "../../../fleet/evidence/fleet-key.ts";
import type { Io } from "../../io.ts";

/** `backstep fleet key`: the secret that opens the fleet's evidence, for its other machines. */
export function key(io: Io): number {
  const { secret, file, made } = fleetSecret();
  io.json({ key: secret, file: file ?? null, made });
  io.text(`${secret}\n`);
  if (file === undefined) io.note(`It is that of ${KEY_VARIABLE}.`);
  else {io.note(
      `${
        made ? "Made, and kept" : "Kept"
      } in ${file}. Set ${KEY_VARIABLE} to it on the other machines of the fleet.`,
    );}
  return 0;
}

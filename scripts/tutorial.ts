/**
 * Does what docs/tutorial/record-your-first-workflow.md says, in a real terminal, and draws what that showed:
 *
 *     deno run -A scripts/tutorial.ts docs/images/record.svg
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { drawTerminal } from "./tutorial/draw.ts";
import { playTutorial } from "./tutorial/play.ts";

const [file] = process.argv.slice(2);
const played = await playTutorial(file === undefined ? undefined : "recording");
if (file === undefined) console.log(played);
else writeFileSync(file, drawTerminal(played.recording, 88));

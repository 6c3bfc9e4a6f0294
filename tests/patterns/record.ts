/** Writes the trees of real applications for the tests of src/intelligence: `record.ts [name…]`. */
import { openSession } from "../../src/session/open-session.ts";
import { writeTree } from "../../src/intelligence/_trees.ts";
import { show } from "./show.ts";
import { stages } from "../../src/intelligence/_stages.ts";

const wanted = Deno.args;
for (const stage of stages) {
  if (wanted.length > 0 && !wanted.some((name) => stage.name.startsWith(name))) continue;
  const session = await openSession({ kind: "isolated", width: 1280, height: 900 });
  try {
    const began = performance.now();
    const snapshot = await show(session, stage);
    writeTree(stage.name, snapshot);
    console.log(stage.name, snapshot.size, `${Math.round(performance.now() - began)} ms`);
  } catch (error) {
    console.log(stage.name, "FAILED", String(error));
  } finally {
    await session.close();
  }
}

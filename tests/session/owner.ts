/** Starts a private desktop, says where it is, and waits to be killed. Arguments: state folder, options as JSON. */
import process from "node:process";
import { startPrivateDesktop } from "../../src/session/private-desktop.ts";

const [state = "", options = "{}"] = process.argv.slice(2);
const desktop = await startPrivateDesktop({ state, ...JSON.parse(options) });
console.log(JSON.stringify(desktop.lease));
setInterval(() => {}, 60_000);

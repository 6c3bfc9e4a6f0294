import process from "node:process";
import { connectNative } from "../../src/desktop/native/connect.ts";

// Drags with Control held until somebody kills it; says when it begins.
const desk = await connectNative({
  kind: "isolated",
  label: "test",
  sessionBus: process.env["TEST_BUS"] ?? "",
  display: process.env["TEST_DISPLAY"] ?? "",
});
process.stdout.write("dragging\n");
await desk.pointer({
  do: "drag",
  x: 10,
  y: 10,
  toX: 600,
  toY: 400,
  button: "left",
  duration: 60_000,
  modifiers: ["ctrl"],
});

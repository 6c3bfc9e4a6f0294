import type { Participant } from "../contract/participant.ts";

/** The clipboard's text. Other types on it are not captured yet, and an image of it says so by being empty. */
export function clipboardText(): Participant {
  return {
    kind: "clipboard",
    key: "clipboard",
    label: "clipboard",
    async capture(desktop, call) {
      return { properties: { text: await desktop.readClipboard(call) ?? null } };
    },
    async restore(image, desktop, call) {
      const { text } = image.properties;
      await desktop.writeClipboard(typeof text === "string" ? text : undefined, call);
      return "selection owner";
    },
    describe: () => ({ kind: "clipboard" }),
  };
}

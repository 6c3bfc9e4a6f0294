import type { Call } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Frame } from "../desktop/desktop.ts";
import type { Seen, VisionBackend } from "./vision-backend.ts";
import { questionFor, readAnswer } from "./question.ts";
import { shrink } from "./shrink.ts";

/** Shows a model a picture and asks it something; answers what it wrote. */
export type Ask = (picture: Frame, question: string, call: Call) => Promise<string>;

/** The longest side of a picture that no model of today scales down by itself. */
const MOST = 1_568;

/** A model as an eye: asked for a place, and its answer brought back to the picture's own size. */
export function backendFor(backend: string, ask: Ask): VisionBackend {
  return {
    backend,
    async locate(picture, description, call): Promise<Seen> {
      const small = shrink(picture, MOST);
      const text = await ask(small, questionFor(description, small.width, small.height), call);
      const said = readAnswer(text, small.width, small.height);
      if (!said) {
        throw new BackstepError(
          "io",
          `Cannot find it with ${backend}: its answer is not what was asked for`,
          {
            details: { answer: text.slice(0, 300) },
          },
        );
      }
      const { rect, confidence } = said;
      if (!rect) return { rect, confidence };
      const [wide, high] = [picture.width / small.width, picture.height / small.height];
      return {
        rect: {
          x: Math.round(rect.x * wide),
          y: Math.round(rect.y * high),
          width: Math.round(rect.width * wide),
          height: Math.round(rect.height * high),
        },
        confidence,
      };
    },
  };
}

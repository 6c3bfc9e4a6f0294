import { type Refusal, refuse } from "./answers.ts";

/** What ends the head of a request or an answer. */
export const END_OF_HEAD = "\r\n\r\n";

/** What is wrong with the head of a first request; undefined: nothing that shows here. */
export function faultOfHead(head: string, most: number): Refusal | undefined {
  const [request = "", ...lines] = head.split("\r\n");
  if (!/^[A-Z]+ \S+ HTTP\/1\.[01]$/.test(request)) return refuse(400, "Not a request of HTTP/1.1");
  if (lines.length > most) return refuse(431, "Too many headers");
  if (lines.filter((line) => /^host\s*:/i.test(line)).length !== 1) {
    return refuse(400, "A request must have one Host header");
  }
  return undefined;
}

/** How many bytes an answer has that says that it is the last; undefined: it does not. */
export function bytesOfLast(start: Uint8Array): number | undefined {
  const text = Buffer.from(start.subarray(0, 4_096)).toString("latin1");
  const end = text.indexOf(END_OF_HEAD);
  const head = text.slice(0, end + 2);
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  if (end < 0 || length === undefined || !/\r\nconnection: close\r\n/i.test(head)) return undefined;
  return end + END_OF_HEAD.length + Number(length);
}

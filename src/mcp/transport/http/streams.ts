/**
 * A stream with a bound on what waits in it: where the client does not read and more than `most` bytes have gathered, it is
 * cut, and what feeds it is told. With `until` (milliseconds since 1970) it ends then: a token holds no longer.
 */
export function boundedStream(
  source: ReadableStream<Uint8Array>,
  most: number,
  until?: number,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let over: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(over);
    reader.cancel().catch(() => {});
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const pump = async () => {
        while (true) {
          const { done, value } = await reader.read();
          if (done) break;
          if (-(controller.desiredSize ?? 0) > most) {
            stop();
            return controller.error(new Error("The client does not read"));
          }
          controller.enqueue(value);
        }
        clearTimeout(over);
        controller.close();
      };
      if (until !== undefined) {
        over = setTimeout(stop, Math.min(Math.max(0, until - Date.now()), 2 ** 31 - 1));
      }
      pump().catch((thrown) => {
        clearTimeout(over);
        controller.error(thrown);
      });
    },
    cancel: stop,
  }, { highWaterMark: 0, size: (chunk) => chunk.byteLength });
}

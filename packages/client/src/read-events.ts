/** One server-sent event: what is between two empty lines. */
export interface ServerEvent {
  readonly id: string;
  readonly data: string;
}

/** The events of a stream that have data, as they come; comments, which keep proxies awake, are passed over. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (text + value).split(/\r?\n\r?\n/);
      text = parts.pop()!;
      for (const part of parts) {
        const event = readEvent(part.split(/\r?\n/));
        if (event.data !== '') yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function readEvent(lines: readonly string[]): ServerEvent {
  const valuesOf = (name: string): string[] =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''));
  return { id: valuesOf('id').at(-1) ?? '', data: valuesOf('data').join('\n') };
}

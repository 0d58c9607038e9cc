/** One event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface StreamEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/**
 * Reads events as they arrive; `onText` is told whenever something does, comments among it. EventSource could not send the key of
 * this session, hence a reader of our own.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  onText: () => void = () => {},
): AsyncGenerator<StreamEvent> {
  let rest = '';
  let id = '';
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onText();
      rest += value;
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop()!;
      for (const block of blocks) {
        const fields = readFields(block);
        id = fields.get('id') ?? id;
        const data = fields.get('data');
        if (data !== undefined) yield { event: fields.get('event') ?? 'message', id, data };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The lines of one event; a line that begins with a colon is a comment, and several `data` are lines of one text. */
function readFields(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const before = fields.get(name);
    fields.set(name, name === 'data' && before !== undefined ? `${before}\n${value}` : value);
  }
  return fields;
}

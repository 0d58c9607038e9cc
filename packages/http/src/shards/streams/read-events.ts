/** One event of the stream of a shard. */
export interface ShardEvent {
  readonly revision: string;
  readonly json: string;
}

/** Reads the events that this server writes itself (`encodeEvent`), one line for each field, until the signal. */
export async function* readEvents(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<ShardEvent> {
  const reader = body.getReader();
  const end = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const event = readBlock(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** null: a comment, or how soon to come again. */
function readBlock(block: string): ShardEvent | null {
  const lines = block.split('\n');
  const field = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [revision, json] = [field('id'), field('data')];
  return revision === undefined || json === undefined ? null : { revision, json };
}

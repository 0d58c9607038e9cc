import type { AnyJson } from './use-test-api.js';

export interface ReadEvent {
  readonly event: string;
  readonly id: string;
  readonly data: AnyJson;
}

/** Opens a stream of events, as a browser would; `next` is null when it has ended. */
export async function readEvents(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ next(): Promise<ReadEvent | null>; close(): void }> {
  const aborter = new AbortController();
  const response = await fetch(url, { headers, signal: aborter.signal });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    throw new Error(`No stream of events: ${response.status} ${await response.text()}`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const lines = text.slice(0, end).split('\n');
          text = text.slice(end + 2);
          const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
          const data = field('data');
          if (data !== undefined)
            return { event: field('event') ?? 'message', id: field('id') ?? '', data: JSON.parse(data) as AnyJson };
          continue;
        }
        const { value, done } = await reader.read();
        if (done) return null;
        text += value;
      }
    },
    close: () => aborter.abort(),
  };
}

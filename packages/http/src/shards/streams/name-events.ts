import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiContext } from '../../api.js';
import { writeExactly } from '../../http/exact-json.js';
import { readExactly } from '../exact-answers.js';
import type { NameIds } from '../name-ids.js';

const encoder = new TextEncoder();

/** The stream of a job, or its refusal, with the name of the shard before the ids in its events. */
export function nameEvents(c: ApiContext, response: Response, shard: string, nameIds: NameIds | null): Response {
  const headers = Object.fromEntries(response.headers);
  const isStream = response.status === 200 && headers['content-type']?.startsWith('text/event-stream') === true;
  const status = response.status as ContentfulStatusCode;
  if (response.body === null) return c.body(null, status, headers);
  if (!isStream) return c.body(response.body, status, headers);
  const decoder = new TextDecoder();
  let rest = '';
  const named = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = events.pop()!;
      for (const event of events) controller.enqueue(encoder.encode(`${nameEvent(event, shard, nameIds)}\n\n`));
    },
  });
  return c.body(response.body.pipeThrough(named), 200, headers);
}

function nameEvent(event: string, shard: string, nameIds: NameIds | null): string {
  return event
    .split('\n')
    .map((line) => (line.startsWith('data: ') ? `data: ${nameData(line.slice(6), shard, nameIds)}` : line))
    .join('\n');
}

function nameData(json: string, shard: string, nameIds: NameIds | null): string {
  const data = readExactly(json);
  nameIds?.(shard, data);
  return writeExactly(data);
}

import { setTimeout as wait } from 'node:timers/promises';
import type { ApiContext } from '../../api.js';
import { type Body, toRequest } from '../ask-shard.js';
import { readExactly } from '../exact-answers.js';
import type { ShardProblem } from '../shard-gate.js';
import type { Shards } from '../shards.js';
import { readEvents } from './read-events.js';

const AGAIN_MS = 1_000;

export interface ShardListener {
  /** What the stream of the shard tells, with the name of the shard before its ids. */
  onEvent(revision: string, data: Body): void;
  /** It does not answer; null: it does again. */
  onProblem(problem: ShardProblem | null): void;
  /** It refuses the request. Returns whether it is asked again. */
  onRefusal(response: Response): boolean;
}

/**
 * Follows the stream of one shard until the returned function is called: one that cannot be had, or has ended, is asked for
 * again. While the database of the shard is away its stream is silent: that it is, the gate says.
 */
export function followShard(
  shards: Shards,
  name: string,
  c: ApiContext,
  asked: { readonly operationId: string; readonly query: URLSearchParams },
  { onEvent, onProblem, onRefusal }: ShardListener,
): () => void {
  const { gate, fetch } = shards.all.get(name)!;
  const nameIds = shards.nameIds(asked.operationId, 200);
  const over = new AbortController();
  const leave = gate.follow((away) => onProblem(away?.problem ?? null));

  /** Its stream; one that comes after it was given up is closed. */
  async function open(): Promise<Response | ShardProblem> {
    let isGivenUp = false;
    const request = await toRequest(c, { ...asked, limitMs: null, method: 'GET' });
    // the page is told whole: what the client has seen is compared with the pages of all shards
    request.headers.delete('last-event-id');
    const told = await gate.ask(async () => {
      const response = await fetch(c, request, asked);
      if (isGivenUp) await response.body?.cancel();
      return response;
    }, null);
    isGivenUp = typeof told === 'string';
    if (typeof told === 'string') return told;
    if (told.answer.status < 500) return told.answer;
    await gate.suspect();
    return gate.away?.problem ?? 'failed';
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      const told = await open().catch((): ShardProblem => 'failed');
      if (typeof told === 'string') onProblem(told);
      else if (told.status !== 200 || told.body === null) {
        if (!onRefusal(told)) return;
        await told.body?.cancel();
      } else
        for await (const { revision, json } of readEvents(told.body, over.signal)) {
          const data = readExactly(json) as Body;
          nameIds?.(name, data);
          onEvent(revision, data);
        }
      await wait(AGAIN_MS, undefined, { signal: over.signal }).catch(() => {});
    }
  }
  void run();
  return () => {
    over.abort();
    leave();
  };
}

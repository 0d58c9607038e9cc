import type { ApiContext } from '../../api.js';
import { writeExactly } from '../../http/exact-json.js';
import type { EventSink } from '../../live/event-stream.js';
import { encodeEvent } from '../../live/encode-event.js';
import { askShard, isLeftOut, PART_MS } from '../ask-shard.js';
import { noneAnswers, queryWith } from '../ask-shards.js';
import { jobsAsList } from '../list-jobs.js';
import type { Questions } from '../list-pages.js';
import type { Shards } from '../shards.js';
import { followShard } from './follow-shard.js';
import { MergedPage } from './merged-page.js';

/** As many jobs as the stream of one shard tells. */
const PAGE_SIZE = 50;
const LIST = 'listJobs';

export interface FollowedShards {
  /** Tells the page, unless it is where `seen` says, and then what becomes of it. Returns what ends that. */
  tell(sink: EventSink, seen: string | null): () => void;
}

/**
 * Follows the shards that may have what fits a filter. Resolves when each has told its first page, or is known not to answer
 * within its time; with a refusal, where one refuses. Throws `database_away` where none answers.
 */
export async function followShards(
  shards: Shards,
  c: ApiContext,
  operationId: string,
  questions: Questions,
): Promise<FollowedShards | Response> {
  const names = [...questions.keys()];
  const page = new MergedPage(names, jobsAsList(questions), async (shard, _row, count) => {
    const query = queryWith(c, { ...questions.get(shard), limit: String(count) });
    const told = await askShard(shards, shard, c, { operationId: LIST, path: '/v1/jobs', query, limitMs: PART_MS });
    // its rows come again, rather than not at all
    return isLeftOut(told) || told.status >= 400 ? '' : (told.body['nextCursor'] as string | null);
  });
  let refusal: Response | null = null;
  let onChange = (): void => {};
  let isTold = false;
  const stops = names.map((name) =>
    followShard(
      shards,
      name,
      c,
      { operationId, query: queryWith(c, questions.get(name)!) },
      {
        onEvent(revision, data) {
          page.setPage(name, revision, data);
          onChange();
        },
        onProblem(problem) {
          page.setProblem(name, problem);
          onChange();
        },
        onRefusal(response) {
          if (!isTold) refusal ??= response;
          page.setProblem(name, 'failed');
          onChange();
          // a stream that has begun goes on, and comes back to it
          return isTold;
        },
      },
    ),
  );
  const stop = (): void => stops.forEach((end) => end());

  await new Promise<void>((resolve) => {
    const late = setTimeout(() => {
      for (const name of names) if (!page.isKnown(name)) page.setProblem(name, 'too_slow');
      resolve();
    }, PART_MS);
    onChange = () => {
      if (refusal === null && !page.isWhole) return;
      clearTimeout(late);
      resolve();
    };
  });
  onChange = () => {};
  if (refusal !== null || page.problems.length === names.length) {
    stop();
    if (refusal === null) throw noneAnswers(page.problems);
    return refusal;
  }

  return {
    tell(sink, seen) {
      isTold = true;
      let isBusy = false;
      let isChanged = false;
      const tell = async (): Promise<void> => {
        isChanged = true;
        if (isBusy) return;
        isBusy = true;
        while (isChanged) {
          isChanged = false;
          const event = await page.next(PAGE_SIZE, seen);
          if (event !== null) sink.sendEncoded(encodeEvent(event, writeExactly));
        }
        isBusy = false;
      };
      onChange = () => void tell().catch(() => sink.end());
      onChange();
      return stop;
    },
  };
}

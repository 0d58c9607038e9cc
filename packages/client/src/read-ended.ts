import { type Job, reviveMoments } from './job.js';
import type { RequestOptions } from './request-options.js';
import { pick, type SentRequest } from './send-request.js';
import { pause } from './wait-before.js';

export interface EndedRequest extends Omit<RequestOptions, 'requestKey'> {
  /** The cursor of the page before; `'now'`: what ends from now on. Absent: from the oldest that is kept. */
  readonly after?: string | undefined;
  /** Only jobs of these types; absent: of all. */
  readonly types?: readonly string[] | undefined;
  /** Jobs of a page: 1 to 200, 50 unless given. */
  readonly limit?: number | undefined;
  /** How often to ask when nothing more has ended; 1000 unless given. */
  readonly everyMs?: number | undefined;
}

/** Jobs that have ended. The first page may have none, and its cursor. */
export interface EndedPage {
  readonly jobs: readonly Job[];
  /** Store it when you have handled the jobs, and begin behind it after a crash. */
  readonly cursor: string;
}

const EVERY_MS = 1_000;

/** Yields what has ended, page by page, for ever. Throws `ClientError`, or the reason of the signal. */
export async function* readEnded(
  send: <T>(request: SentRequest) => Promise<T>,
  { after, types, limit, everyMs = EVERY_MS, ...given }: EndedRequest,
): AsyncGenerator<EndedPage> {
  let isFirst = true;
  for (let cursor = after; ;) {
    const query = new URLSearchParams();
    if (cursor !== undefined) query.set('after', cursor);
    if (types !== undefined) query.set('types', types.join(','));
    if (limit !== undefined) query.set('limit', String(limit));
    const path = query.size === 0 ? '/v1/ended-jobs' : `/v1/ended-jobs?${query}`;
    const page = await send<EndedPage & { readonly caughtUp: boolean }>({ ...pick(given), method: 'GET', path });
    cursor = page.cursor;
    if (isFirst || page.jobs.length > 0) yield { jobs: page.jobs.map((job) => reviveMoments<Job>(job)), cursor };
    isFirst = false;
    if (page.caughtUp) await pause(everyMs, given.signal);
  }
}

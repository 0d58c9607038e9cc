import type { Queryable } from '@duework/queue-core';
import { DueworkError } from '@duework/queue-core';
import { countJobs, searchJobs } from '@duework/operate';
import { timed } from '../../kit/timed.js';
import { SEARCHES } from './searches.js';

export interface Measured {
  readonly name: string;
  readonly what: 'page' | 'count';
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  /** What the last one answered. */
  readonly answer: string;
}

/** Pages are the first, the two behind it and one back: what somebody looks at. */
const PAGES = 4;

/** Measures every search, one call after the other, round by round, so that each finds what the others left in memory. */
export async function measureSearches(db: Queryable, rounds: number): Promise<Measured[]> {
  const times = new Map<string, { ms: number[]; answer: string }>();
  const add = (key: string, ms: number, answer: string): void => {
    const seen = times.get(key) ?? { ms: [], answer };
    seen.ms.push(ms);
    seen.answer = answer;
    times.set(key, seen);
  };
  for (let round = 1; round <= rounds; round++) {
    for (const [name, search] of Object.entries(SEARCHES)) {
      const filter = search(round * 317);
      for (const { ms, answer } of await pagesOf(db, filter)) add(`page ${name}`, ms, answer);
      const { result, ms } = await timed(() => countOf(db, filter));
      add(`count ${name}`, ms, result);
    }
  }
  return [...times].map(([key, { ms, answer }]) => {
    const [what, ...name] = key.split(' ');
    const sorted = ms.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
    return { name: name.join(' '), what: what as 'page', p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1), answer };
  });
}

async function pagesOf(db: Queryable, filter: string): Promise<{ ms: number; answer: string }[]> {
  const measured = [];
  let cursor: string | undefined;
  for (let page = 1; page <= PAGES; page++) {
    const { result, ms } = await timed(() => searchJobs(db, { filter, cursor }));
    measured.push({ ms, answer: `${result.jobs.length}${result.isComplete ? '' : ' of a part'}` });
    const next = page === PAGES - 1 ? result.previousCursor : result.nextCursor;
    if (next === null) break;
    cursor = next;
  }
  return measured;
}

async function countOf(db: Queryable, filter: string): Promise<string> {
  try {
    const { count, isAtLeast } = await countJobs(db, filter);
    return `${count.toLocaleString('en-US')}${isAtLeast ? '+' : ''}`;
  } catch (error) {
    if (DueworkError.is(error, 'filter_too_broad')) return 'refused';
    throw error;
  }
}

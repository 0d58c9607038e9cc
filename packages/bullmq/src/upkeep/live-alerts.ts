import type { AlertLimits, RaisedAlert } from '@duework/queue-core/ports';
import { toJobId } from '../jobs/job-id.js';
import type { LiveRuns } from '../operate/scan-live.js';
import { canRead, type Reader } from './readers.js';

const MAX_RELEASES = 5;

/** What no worker that lives can read, and has waited the longest. */
export function findUnserved(
  live: readonly LiveRuns[],
  readers: readonly Reader[],
  { maxUnservedSeconds: limit = 300 }: AlertLimits,
  nowMs: number,
): RaisedAlert[] {
  const counts = new Map<string, { type: string; version: number; queue: string; waiting: number; dueMs: number }>();
  for (const { type, version, queue, status, runAtMs } of live.flatMap(({ runs }) => runs)) {
    if (status === 'running' || runAtMs > nowMs || canRead(readers, queue, type, version)) continue;
    const name = `${queue} ${version} ${type}`;
    const known = counts.get(name) ?? { type, version, queue, waiting: 0, dueMs: Infinity };
    counts.set(name, { ...known, waiting: known.waiting + 1, dueMs: Math.min(known.dueMs, runAtMs) });
  }
  const found = [...counts.values()]
    .filter(({ dueMs }) => dueMs < nowMs - limit * 1_000)
    .sort((left, right) => left.dueMs - right.dueMs);
  const [first] = found;
  if (first === undefined) return [];
  const { dueMs, ...oldest } = first;
  const facts = { ...oldest, waitingSeconds: Math.round((nowMs - dueMs) / 1_000), limit, others: found.length - 1 };
  return [{ name: 'no_worker_for_type', facts }];
}

/** The run that stopping workers have given back most often while it ran, where its contract allows fewer. */
export function findReleased(live: readonly LiveRuns[], readers: readonly Reader[]): RaisedAlert[] {
  const limitOf = (type: string): number =>
    readers.map(({ types }) => types[type]?.[2]).find((limit) => limit !== undefined) ?? MAX_RELEASES;
  const found = live
    .flatMap(({ runs }) => runs)
    .filter(({ type, releases }) => releases > limitOf(type))
    .sort((left, right) => right.releases - left.releases || left.createdAtMs - right.createdAtMs);
  const [worst] = found;
  if (worst === undefined) return [];
  const { type, releases } = worst;
  const facts = { type, id: toJobId(worst), releases, limit: limitOf(type), others: found.length - 1 };
  return [{ name: 'job_released_too_often', facts }];
}

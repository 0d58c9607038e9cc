import { createHash } from 'node:crypto';
import { formatFilter, type JobFilterTerm } from '@duework/filter';
import { type Queryable, readNow } from '@duework/queue-core';
import { listWords, toPattern } from './failure-pattern.js';
import { ERROR_LENGTH, type FailuresLine, findFailures } from './sql/find-failures.js';

/** How far back, and in how many steps of which length. */
export const FAILURE_RANGES = {
  '1h': { steps: 24, stepSeconds: 150 },
  '24h': { steps: 24, stepSeconds: 3_600 },
  '7d': { steps: 28, stepSeconds: 21_600 },
  '30d': { steps: 30, stepSeconds: 86_400 },
} as const;
export type FailureRange = keyof typeof FAILURE_RANGES;

/** Jobs of one type whose last failures have the same code and, but for ids and numbers, the same words. */
export interface FailureGroup {
  /** Stable: the same for the same code, error type and words. */
  readonly fingerprint: string;
  readonly type: string;
  readonly code: string;
  readonly errorType: string | null;
  /** The error with … where it differs from job to job. */
  readonly pattern: string;
  /** One of the errors. */
  readonly message: string;
  /** Jobs that were given up. */
  readonly dead: number;
  /** Jobs that will be retried by themselves. */
  readonly retrying: number;
  /** Jobs by step, the oldest first. */
  readonly counts: readonly number[];
  /** When the first of these jobs has failed for the last time, and the last one. */
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Of their contract, the oldest first. */
  readonly versions: readonly number[];
  /** Some of the workers that gave them up, by name. */
  readonly workers: readonly string[];
  /** Finds these jobs, beside a status and a time. */
  readonly filter: string;
}

export interface Failures {
  readonly since: Date;
  readonly until: Date;
  readonly stepSeconds: number;
  /** Those with the most dead jobs first, 100 at most. */
  readonly groups: readonly FailureGroup[];
  /** false: there are more failures than were looked at, and the oldest are missing. */
  readonly isComplete: boolean;
}

const MAX_GROUPS = 100;
const MAX_WORKERS = 10;

/**
 * Why jobs died lately, or wait for a retry: grouped by type and by what their last errors have in common, in steps of time.
 * It looks at the newest 10,000 dead and the newest 5,000 live ones at most. `types`: only these.
 */
export async function readFailures(
  db: Queryable,
  { range = '24h', types = null }: { range?: FailureRange; types?: readonly string[] | null } = {},
): Promise<Failures> {
  const { steps, stepSeconds } = FAILURE_RANGES[range];
  const stepMs = stepSeconds * 1_000;
  const untilMs = Math.ceil(((await readNow(db)) + 1) / stepMs) * stepMs;
  const sinceMs = untilMs - steps * stepMs;
  const { lines, isComplete } = await findFailures(db, { sinceMs, stepSeconds, types });
  const groups = groupLines(lines)
    .toSorted(byCount)
    .slice(0, MAX_GROUPS)
    .map((pattern) => toGroup(pattern, steps));
  return { since: new Date(sinceMs), until: new Date(untilMs), stepSeconds, groups, isComplete };
}

/** Jobs of one type, code and pattern. */
interface Pattern {
  /** The same for no other. */
  readonly name: string;
  readonly pattern: string;
  readonly lines: FailuresLine[];
  dead: number;
  retrying: number;
}

function groupLines(lines: readonly FailuresLine[]): readonly Pattern[] {
  const groups = new Map<string, Pattern>();
  for (const line of lines) {
    const pattern = toPattern(line.text);
    const name = JSON.stringify([line.type, pattern, line.code, line.errorType]);
    const group = groups.get(name) ?? { name, pattern, lines: [], dead: 0, retrying: 0 };
    groups.set(name, group);
    group.lines.push(line);
    group[line.isDead ? 'dead' : 'retrying'] += line.steps.length;
  }
  return [...groups.values()];
}

/** Most dead jobs first, then most that will be retried; alike ones by name, so that none changes its place from one reading to the next. */
function byCount(left: Pattern, right: Pattern): number {
  const more = right.dead - left.dead || right.retrying - left.retrying;
  return more === 0 ? (left.name < right.name ? -1 : 1) : more;
}

function toGroup({ pattern, lines, dead, retrying }: Pattern, steps: number): FailureGroup {
  const { type, code, errorType, text } = lines[0]!;
  const counts = Array.from({ length: steps }, () => 0);
  for (const line of lines) for (const step of line.steps) counts[Math.min(steps - 1, step)]!++;
  const isCut = lines.some((line) => line.text.length >= ERROR_LENGTH);
  const error = (words: string): JobFilterTerm => ({ field: 'error', isNot: false, values: [words] });
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([code, errorType, pattern]))
      .digest('hex')
      .slice(0, 12),
    type,
    code,
    errorType,
    pattern,
    message: text,
    dead,
    retrying,
    counts,
    firstAt: new Date(lines.reduce((first, { firstMs }) => Math.min(first, firstMs), Infinity)),
    lastAt: new Date(lines.reduce((last, { lastMs }) => Math.max(last, lastMs), 0)),
    versions: valuesOf(lines.flatMap(({ versions }) => versions)).toSorted((left, right) => left - right),
    workers: valuesOf(lines.flatMap(({ workers }) => workers))
      .filter((worker) => worker !== null)
      .toSorted()
      .slice(0, MAX_WORKERS),
    filter: formatFilter({
      terms: [{ field: 'type', isNot: false, values: [type] }, ...[code, ...listWords(pattern, isCut)].map(error)],
    }),
  };
}

const valuesOf = <T>(all: readonly T[]): T[] => [...new Set(all)];

import { createHash } from 'node:crypto';
import { formatFilter, type JobFilterTerm } from '@duework/filter';
import { type Queryable, readNow } from '@duework/queue-core';
import { listWords, toPattern } from './failure-pattern.js';
import { type Beginning, findBeginnings } from './sql/find-beginnings.js';
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
  /** The error with … where it differs from job to job; null: texts are not shown. */
  readonly pattern: string | null;
  /** One of the errors; null: texts are not shown. */
  readonly message: string | null;
  /** Jobs that were given up. */
  readonly dead: number;
  /** Jobs that will be retried by themselves. */
  readonly retrying: number;
  /** Jobs by step, the oldest first. */
  readonly counts: readonly number[];
  /** The first attempt that failed with this error within the time, whatever became of its job; and the last one. */
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** It has failed like this within as long a time before, too. */
  readonly isOlder: boolean;
  /** Who made the first attempt; null: it is not kept. */
  readonly beganWith: BeganWith | null;
  /** Where it is thrown, by the stacks of the newest attempts: the first frame that is no package's. Two: two causes. */
  readonly places: readonly string[];
  /** The newest of the jobs, whose last attempt has the stack. */
  readonly newestJob: string;
  /** Of their contract, the oldest first. */
  readonly versions: readonly number[];
  /** Some of the workers that gave them up, by name. */
  readonly workers: readonly string[];
  /** Finds these jobs, beside a status and a time. */
  readonly filter: string;
}

/** The worker of an attempt, and the version of its code with when the first worker of that version started, if they are known. */
export interface BeganWith {
  readonly worker: string;
  readonly codeVersion: string | null;
  readonly startedAt: Date | null;
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
const MAX_PLACES = 3;
/** Lines of one pattern whose beginnings are looked for. */
const MAX_KINDS = 5;

/**
 * Why jobs died lately, or wait for a retry: grouped by type and by what their last errors have in common, in steps of time.
 * It looks at the newest 10,000 dead and the newest 5,000 live ones at most. `types`: only these. `areTextsShown: false`, for
 * whoever may not see values of payloads, which errors quote: it groups by code and error type alone.
 */
export async function readFailures(
  db: Queryable,
  {
    range = '24h',
    types = null,
    areTextsShown = true,
  }: { range?: FailureRange; types?: readonly string[] | null; areTextsShown?: boolean } = {},
): Promise<Failures> {
  const { steps, stepSeconds } = FAILURE_RANGES[range];
  const stepMs = stepSeconds * 1_000;
  const untilMs = Math.ceil(((await readNow(db)) + 1) / stepMs) * stepMs;
  const sinceMs = untilMs - steps * stepMs;
  const { lines, isComplete } = await findFailures(db, { sinceMs, stepSeconds, types });
  const patterns = groupLines(lines, areTextsShown).toSorted(byCount).slice(0, MAX_GROUPS);
  const asked = patterns.flatMap((pattern) => kindsOf(pattern).map((line) => ({ pattern, line })));
  const found =
    asked.length === 0
      ? []
      : await findBeginnings(
          db,
          asked.map(({ line }) => line),
          { sinceMs, untilMs },
        );
  const groups = patterns.map((pattern) =>
    toGroup(
      pattern,
      found.filter((_, at) => asked[at]!.pattern === pattern),
      steps,
    ),
  );
  return { since: new Date(sinceMs), until: new Date(untilMs), stepSeconds, groups, isComplete };
}

/** Jobs of one type, code and pattern. */
interface Pattern {
  /** The same for no other. */
  readonly name: string;
  /** null: it is not shown. */
  readonly pattern: string | null;
  readonly lines: FailuresLine[];
  dead: number;
  retrying: number;
}

function groupLines(lines: readonly FailuresLine[], areTextsShown: boolean): readonly Pattern[] {
  const groups = new Map<string, Pattern>();
  for (const line of lines) {
    const pattern = areTextsShown ? toPattern(line.text) : null;
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

/** Some lines that are not the same but for being dead. */
const kindsOf = ({ lines }: Pattern): readonly FailuresLine[] =>
  [...new Map(lines.map((line) => [line.text, line])).values()].slice(0, MAX_KINDS);

function toGroup(
  { pattern, lines, dead, retrying }: Pattern,
  beginnings: readonly Beginning[],
  steps: number,
): FailureGroup {
  const { type, code, errorType, text } = lines[0]!;
  const counts = Array.from({ length: steps }, () => 0);
  for (const line of lines) for (const step of line.steps) counts[Math.min(steps - 1, step)]!++;
  const isCut = lines.some((line) => line.text.length >= ERROR_LENGTH);
  const has = (field: 'type' | 'code' | 'error', value: string): JobFilterTerm => ({
    field,
    isNot: false,
    values: [value],
  });
  const error = pattern === null ? [] : listWords(pattern, isCut).map((words) => has('error', words));
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([code, errorType, pattern]))
      .digest('hex')
      .slice(0, 12),
    type,
    code,
    errorType,
    pattern,
    message: pattern === null ? null : text,
    dead,
    retrying,
    counts,
    ...beginningOf(lines, beginnings),
    lastAt: new Date(lines.reduce((last, { lastMs }) => Math.max(last, lastMs), 0)),
    newestJob: lines
      .map(({ newestJob }) => newestJob)
      .reduce((one, other) => (BigInt(one) < BigInt(other) ? other : one)),
    versions: valuesOf(lines.flatMap(({ versions }) => versions)).toSorted((left, right) => left - right),
    workers: valuesOf(lines.flatMap(({ workers }) => workers))
      .filter((worker) => worker !== null)
      .toSorted()
      .slice(0, MAX_WORKERS),
    filter: formatFilter({ terms: [has('type', type), has('code', code), ...error] }),
  };
}

/** By the attempts; where none is kept, by the jobs. */
function beginningOf(
  lines: readonly FailuresLine[],
  beginnings: readonly Beginning[],
): Pick<FailureGroup, 'firstAt' | 'isOlder' | 'beganWith' | 'places'> {
  const [first] = beginnings
    .filter(({ firstMs }) => firstMs !== null)
    .toSorted((left, right) => left.firstMs! - right.firstMs!);
  const ofJobs = lines.reduce((earliest, { firstMs }) => Math.min(earliest, firstMs), Infinity);
  return {
    firstAt: new Date(Math.min(first?.firstMs ?? Infinity, ofJobs)),
    isOlder: beginnings.some(({ isOlder }) => isOlder),
    beganWith:
      first === undefined
        ? null
        : {
            worker: first.firstWorker!,
            codeVersion: first.codeVersion,
            startedAt: first.startedMs === null ? null : new Date(first.startedMs),
          },
    places: valuesOf(beginnings.flatMap(({ places }) => places).map(shortenPlace)).slice(0, MAX_PLACES),
  };
}

/** `sendReceipt (file:///srv/app/dist/send-receipt.js:12:19)` without its folders. */
const shortenPlace = (frame: string): string => frame.replace(/(^|[\s(])[^\s()]*\//u, '$1').slice(0, 200);

const valuesOf = <T>(all: readonly T[]): T[] => [...new Set(all)];

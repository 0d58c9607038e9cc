import type { AlertCondition, AlertLimits } from '../ports/alerts.js';

/** What a store without SQL knows of its runs. The function `find_alerts` of the database says the same of its tables. */
export interface AlertView {
  readonly nowMs: number;
  readonly dead: readonly {
    readonly id: string;
    readonly type: string;
    readonly finishedAtMs: number;
    readonly error: string | null;
    readonly isAcknowledged: boolean;
  }[];
  /** Attempts that ended within a quarter of an hour; `error`: what it is called, of one that failed. */
  readonly attempts: readonly { readonly type: string; readonly isFailed: boolean; readonly error: string | null }[];
  /** Runs that wait or run, and stand in no line of flow control, the oldest first. */
  readonly live: readonly {
    readonly id: string;
    readonly type: string;
    readonly version: number;
    readonly queue: string;
    readonly isRunning: boolean;
    readonly runAtMs: number;
    readonly releases: number;
  }[];
  readonly isPaused: (queue: string, type: string) => boolean;
  readonly isRead: (queue: string, type: string, version: number) => boolean;
  /** How many releases the contract of a type allows. */
  readonly releasesOf: (type: string) => number;
  /** For how many days dead runs of a type are kept, where those of others are kept for so many. */
  readonly deadDaysOf: (type: string, others: number) => number;
}

/** How far back failures are looked at. */
export const ALERT_LATELY_MS = 900_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What an error is called: its code, or its class where nobody gave it a code. */
export const nameError = (code: string | null, type: string | null): string | null =>
  code === null || code === 'unexpected_error' ? (type ?? code) : code;

/** What is wrong at this moment. */
export function findAlerts(view: AlertView, limits: AlertLimits): readonly AlertCondition[] {
  return [
    ...findDied(view, limits),
    ...findExpiring(view, limits),
    ...findUnknown(view),
    ...findFailing(view, limits),
    ...findWaiting(view, limits),
    ...findUnserved(view, limits),
    ...findReleased(view),
  ];
}

/** Types of which too many died within the last hour; those of types with few, together. */
function findDied({ dead, nowMs }: AlertView, { maxDeadPerHour: limit = 10 }: AlertLimits): AlertCondition[] {
  const lately = dead.filter(({ finishedAtMs }) => finishedAtMs > nowMs - HOUR_MS);
  const counts = groupBy(lately, ({ type }) => type);
  return [...groupBy(lately, ({ type }) => (counts.get(type)!.length > limit ? type : ''))]
    .filter(([, runs]) => runs.length > limit)
    .map(([subject, runs]) => ({
      name: 'too_many_dead_jobs',
      subject,
      facts: {
        ...(subject === '' ? {} : { type: subject }),
        deadInTheLastHour: runs.length,
        limit,
        ...commonest(runs.map(({ error }) => error)),
      },
    }));
}

/** Dead runs that nobody has acknowledged and that are deleted within a week, or within half their retention. */
function findExpiring(
  { dead, nowMs, deadDaysOf }: AlertView,
  { keepDeadDays: others = 90 }: AlertLimits,
): AlertCondition[] {
  const runs = dead
    .map((run) => ({ ...run, days: deadDaysOf(run.type, others) }))
    .filter(
      ({ isAcknowledged, finishedAtMs, days }) =>
        !isAcknowledged && finishedAtMs < nowMs - (days - Math.min(7, days / 2)) * DAY_MS,
    )
    .map(({ finishedAtMs, days }) => ({ days, goesAtMs: (Math.floor(finishedAtMs / DAY_MS) + days + 1) * DAY_MS }))
    .toSorted((left, right) => left.goesAtMs - right.goesAtMs);
  const [first] = runs;
  if (first === undefined) return [];
  const oldestGoesAt = new Date(first.goesAtMs).toISOString().replace('.000', '');
  return [
    { name: 'dead_runs_expire', subject: '', facts: { runs: runs.length, keepDeadDays: first.days, oldestGoesAt } },
  ];
}

/** Dead runs of which a person has to say whether something has happened. */
function findUnknown({ dead }: AlertView): AlertCondition[] {
  const runs = dead
    .filter(({ isAcknowledged, error }) => !isAcknowledged && error === 'effect_unknown')
    .toSorted((left, right) => left.finishedAtMs - right.finishedAtMs);
  return [...groupBy(runs, ({ type }) => type)].map(([type, own]) => ({
    name: 'effect_unknown',
    subject: type,
    facts: { type, runs: own.length, id: own[0]!.id },
  }));
}

/** Types of whose attempts too many have failed lately. */
function findFailing(
  { attempts }: AlertView,
  { maxFailedShare: limit = 0.5, minAttempts = 20 }: AlertLimits,
): AlertCondition[] {
  return [...groupBy(attempts, ({ type }) => type)].flatMap(([type, all]) => {
    const errors = all.filter(({ isFailed }) => isFailed).map(({ error }) => error);
    const failed = errors.length;
    if (failed === 0 || all.length < minAttempts || failed < all.length * limit) return [];
    const share = Math.round((failed / all.length) * 100) / 100;
    const facts = { type, failed, attempts: all.length, share, limit, seconds: ALERT_LATELY_MS / 1_000 };
    return [{ name: 'failing_job_type', subject: type, facts: { ...facts, ...commonest(errors) } } as const];
  });
}

/** The oldest due run of each queue. A pause is wanted, so what is paused does not wait. */
function findWaiting(
  { live, isPaused, nowMs }: AlertView,
  { maxWaitingSeconds: limit = 300 }: AlertLimits,
): AlertCondition[] {
  const late = live.filter(
    (run) => !run.isRunning && run.runAtMs < nowMs - limit * 1_000 && !isPaused(run.queue, run.type),
  );
  return [...groupBy(late, ({ queue }) => queue)].map(([queue, runs]) => ({
    name: 'oldest_job_waits_too_long',
    subject: queue,
    facts: { queue, waitingSeconds: secondsOf(runs, nowMs), limit },
  }));
}

/** What no worker that lives can read. */
function findUnserved(
  { live, isRead, nowMs }: AlertView,
  { maxUnservedSeconds: limit = 300 }: AlertLimits,
): AlertCondition[] {
  const orphans = live.filter(
    ({ isRunning, runAtMs, queue, type, version }) => !isRunning && runAtMs <= nowMs && !isRead(queue, type, version),
  );
  return [...groupBy(orphans, ({ type, version, queue }) => `${type}@${version}/${queue}`)]
    .filter(([, runs]) => runs.some(({ runAtMs }) => runAtMs < nowMs - limit * 1_000))
    .map(([subject, runs]) => {
      const { type, version, queue } = runs[0]!;
      const facts = { type, version, queue, waiting: runs.length, waitingSeconds: secondsOf(runs, nowMs), limit };
      return { name: 'no_worker_for_type', subject, facts };
    });
}

/** Of each type the run that stopping workers have given back most often, where its contract allows fewer. */
function findReleased({ live, releasesOf }: AlertView): AlertCondition[] {
  const found = live
    .filter(({ type, releases }) => releases > releasesOf(type))
    .toSorted((left, right) => right.releases - left.releases);
  return [...groupBy(found, ({ type }) => type)].map(([type, [worst]]) => ({
    name: 'job_released_too_often',
    subject: type,
    facts: { type, id: worst!.id, releases: worst!.releases, limit: releasesOf(type) },
  }));
}

const secondsOf = (runs: readonly { readonly runAtMs: number }[], nowMs: number): number =>
  Math.round((nowMs - Math.min(...runs.map(({ runAtMs }) => runAtMs))) / 1_000);

/** The most frequent of these errors, or nothing. */
function commonest(errors: readonly (string | null)[]): { error?: string } {
  const named = errors.filter((error) => error !== null);
  const [first] = [...groupBy(named, (error) => error)].toSorted(
    ([left, these], [right, those]) => those.length - these.length || (left < right ? -1 : 1),
  );
  return first === undefined ? {} : { error: first[0] };
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return groups;
}

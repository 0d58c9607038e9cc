import type { Json, SkipReason } from '@duework/queue-core';
import type { Duration } from '@duework/contracts';
import type { ScheduleRow } from './sql/schedule-row.js';
import type { MissedPolicy, OverlapPolicy } from './due-times/decide-due-times.js';
import { describePolicies } from './describe-policies.js';
import { describeRule } from './rules/describe-rule.js';
import { parseRule, type Rule, type RuleInput } from './rules/rule.js';

/** One schedule as people see it. */
export interface Schedule {
  readonly key: string;
  readonly type: string;
  /** Of the contract that the payload was saved for; each run is made with the payload in today's shape. */
  readonly version: number;
  /** With `{"$due": …}` for a value that the due time fills in. */
  readonly payload: Json;
  /** Exactly one of the three is not null. */
  readonly cron: string | null;
  readonly everyMs: number | null;
  readonly at: Date | null;
  readonly timeZone: string;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  /** The rule in plain words. */
  readonly words: string;
  /** Its policies in plain words. */
  readonly policy: string;
  readonly missed: MissedPolicy;
  readonly overlap: OverlapPolicy;
  readonly splayMs: number;
  readonly isPaused: boolean;
  /** Since when, until when (null: until it is resumed), by whom and why; null: it is not paused. */
  readonly pause: SchedulePause | null;
  /** `code`: declared by a program, and written again at its deploy. */
  readonly source: 'code' | 'api';
  /** The program whose code declares it; null: no program's. */
  readonly sourceProgram: string | null;
  readonly sourceVersion: number | null;
  /** The first due time that is not decided yet; null: the rule has none any more. */
  readonly nextDueAt: Date | null;
  readonly nextFiresAt: Date | null;
  readonly lastRunId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface SchedulePause {
  readonly since: Date;
  readonly until: Date | null;
  readonly by: string | null;
  readonly reason: string | null;
}

/** One line of the ledger. */
export interface DueTime {
  readonly scheduleKey: string;
  readonly type: string;
  readonly dueAt: Date;
  readonly outcome: 'fired' | 'skipped' | 'waiting';
  /**
   * Why the due time was skipped; `triggered`: a person made the run by hand, of no due time of the rule, or of one
   * that was skipped.
   */
  readonly reason: SkipReason | 'deleted' | 'triggered' | null;
  readonly runId: string | null;
  /** The status of the run; null: there is none, or its history is gone. */
  readonly runStatus: string | null;
  readonly firesAt: Date;
  readonly decidedAt: Date;
  readonly lateMs: number;
  /** The pause that it was missed for: since when, by whom and why; null: it was missed for none, or the audit of it is gone. */
  readonly pause: Omit<SchedulePause, 'until'> | null;
}

/** Rules are parsed once, because many schedules share one. */
const parsed = new Map<string, Rule>();
const MAX_PARSED = 2_000;

/** Throws what `parseRule` throws: a zone or a rule that this runtime does not know. */
export function ruleOf(
  row: Pick<ScheduleRow, 'cron' | 'everyMs' | 'atMs' | 'timeZone' | 'startsAtMs' | 'endsAtMs'>,
): Rule {
  const name = JSON.stringify([row.cron, row.everyMs, row.atMs, row.timeZone, row.startsAtMs, row.endsAtMs]);
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const rule = parseRule(toRuleInput(row));
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(name, rule);
  return rule;
}

/** The rule as a person would write it. */
export function toRuleInput({
  cron,
  everyMs,
  atMs,
  timeZone,
  startsAtMs,
  endsAtMs,
}: Parameters<typeof ruleOf>[0]): RuleInput {
  return {
    ...(cron !== null ? { cron } : everyMs !== null ? { every: `${everyMs}ms` as Duration } : { at: new Date(atMs!) }),
    timeZone,
    ...(startsAtMs === null ? {} : { startsAt: new Date(startsAtMs) }),
    ...(endsAtMs === null ? {} : { endsAt: new Date(endsAtMs) }),
  };
}

export function toSchedule(row: ScheduleRow): Schedule {
  const {
    id: _id,
    runIds: _runIds,
    atMs,
    startsAtMs,
    endsAtMs,
    nextDueMs,
    splayOffsetMs,
    createdAtMs,
    updatedAtMs,
    pause,
    ...same
  } = row;
  return {
    ...same,
    pause: pause && { ...pause, since: new Date(pause.since), until: toDate(pause.until) },
    at: toDate(atMs),
    startsAt: toDate(startsAtMs),
    endsAt: toDate(endsAtMs),
    words: describe(row),
    policy: describePolicies(row.missed, row.overlap),
    nextDueAt: toDate(nextDueMs),
    nextFiresAt: toDate(nextDueMs === null ? null : nextDueMs + splayOffsetMs),
    createdAt: new Date(createdAtMs),
    updatedAt: new Date(updatedAtMs),
  };
}

/** A rule that only another runtime can parse must not keep a list from being shown. */
function describe(row: ScheduleRow): string {
  try {
    return describeRule(ruleOf(row));
  } catch (error) {
    return (error as Error).message;
  }
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

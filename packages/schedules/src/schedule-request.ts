import { parseDuration, type Duration, type JobContract, type PayloadInput } from '@duework/contracts';
import { checkJobRequest, DEFAULT_PAYLOAD_LIMIT_BYTES, DueworkError, jobRequest } from '@duework/queue-core';
import { checkPayloadShape, encodePayload, sealPayload } from '@duework/queue-core/internals';
import type { NewSchedule } from './sql/save-schedules.js';
import {
  MISSED_POLICIES,
  OVERLAP_POLICIES,
  type MissedPolicy,
  type OverlapPolicy,
} from './due-times/decide-due-times.js';
import { describeRule } from './rules/describe-rule.js';
import { nextDueTime } from './rules/next-due-times.js';
import { parseRule, type Rule, type RuleInput } from './rules/rule.js';
import { hasTemplate, renderPayload, type Templated } from './due-times/due-template.js';
import { splayOffset } from './rules/splay.js';

/** A schedule's options, beside its rule. All but `key` and `payload` have a default. */
export type ScheduleOptions<C extends JobContract = JobContract> = RuleInput & {
  /**
   * Its permanent name: 1 to 200 letters, digits and `:`, `_`, `-`, `.`, `@`. One per entity:
   * `weekly_report:user:12345`.
   */
  readonly key: string;
  /** The payload of every run, or one made from the due time: `{ day: due.date({ addDays: -1 }) }`. */
  readonly payload: Templated<PayloadInput<C>>;
  /** Policy for due times that no tick saw in time; default `'latest'`. */
  readonly missed?:
    | MissedPolicy['policy']
    | {
        readonly policy: MissedPolicy['policy'];
        /** `skip`: a due time that is later than this is missed; `'5m'` unless given. */
        readonly tolerance?: Duration;
        /** `all`: at most so many of the newest due times fire, 1 to 1,000; 10 unless given. */
        readonly limit?: number;
        /** `all`: no due time older than this fires; `'1d'` unless given. */
        readonly maxAge?: Duration;
      };
  /** Policy for a due time while a run of the schedule is live; default `'skip'`. */
  readonly overlap?:
    | OverlapPolicy['policy']
    | {
        readonly policy: OverlapPolicy['policy'];
        /** `queue`: so many due times may wait, 1 to 1,000; 10 unless given. */
        readonly limit?: number;
      };
  /** Spreads schedules of one time over this long, each by its own fixed delay; at most `'1d'`, default none. */
  readonly splay?: Duration;
};

/** A schedule to save, whose payload fits its contract; made by `scheduleRequest`. */
export interface ScheduleRequest {
  readonly contract: JobContract;
  readonly options: ScheduleOptions;
}

/** A typed request for `saveSchedules` and `registerSchedules`, so that one call can mix types. */
export function scheduleRequest<C extends JobContract>(contract: C, options: ScheduleOptions<C>): ScheduleRequest {
  return { contract, options: options as unknown as ScheduleOptions };
}

const DAY_MS = 86_400_000;

/** A checked schedule: its row without who saves it and which due time is next. */
export interface CheckedSchedule {
  readonly rule: Rule;
  readonly row: Omit<NewSchedule, 'source' | 'source_program' | 'source_version' | 'next_due_at' | 'tick_at'>;
}

/**
 * Throws `invalid_schedule_key`, `invalid_rule`, `invalid_cron`, `unknown_time_zone`, `invalid_option`, `invalid_template`,
 * and what `enqueue` would throw for the payload of a sample due time.
 */
export function checkSchedule({ contract, options }: ScheduleRequest, nowMs: number): CheckedSchedule {
  const { key, payload = contract.defaultPayload } = options;
  if (!isScheduleKey(key)) throw new DueworkError('invalid_schedule_key', { key });
  const rule = parseRule(options);
  const missed = readMissed(options.missed);
  const overlap = readOverlap(options.overlap);
  const splayMs = toMs('splay', options.splay, 0, DAY_MS);
  checkPayload(contract, payload, rule, nowMs);
  const { kind, timeZone, startsAtMs, endsAtMs } = rule;
  return {
    rule,
    row: {
      key,
      job_type: contract.type,
      job_version: contract.version,
      // encrypted as the payload of a run; its templates, too, because one may stand in place of a sensitive value
      payload: sealPayload(contract, payload),
      cron: kind.name === 'cron' ? kind.pattern.text : null,
      every_ms: kind.name === 'every' ? kind.ms : null,
      at: kind.name === 'at' ? toIso(kind.ms) : null,
      time_zone: timeZone,
      starts_at: startsAtMs === null ? null : toIso(startsAtMs),
      ends_at: endsAtMs === null ? null : toIso(endsAtMs),
      missed: missed.policy,
      missed_tolerance_ms: missed.toleranceMs,
      missed_limit: missed.limit,
      missed_max_age_ms: missed.maxAgeMs,
      overlap: overlap.policy,
      overlap_limit: overlap.limit,
      splay_ms: splayMs,
      splay_offset_ms: splayOffset(key, splayMs),
    },
  };
}

/** The row that is written. With `isFiringRequired`, throws `rule_never_fires` when there is no due time after now. */
export function toNewSchedule(
  { rule, row }: CheckedSchedule,
  nowMs: number,
  from: { source: 'code' | 'api'; program: string | null; version: number | null; isFiringRequired: boolean },
): NewSchedule {
  const next = nextDueTime(rule, nowMs);
  if (next === null && from.isFiringRequired) {
    throw new DueworkError('rule_never_fires', {
      reason: `${describeRule(rule)} has no due time after ${toIso(nowMs)}`,
    });
  }
  return {
    ...row,
    source: from.source,
    source_program: from.program,
    source_version: from.version,
    next_due_at: next === null ? null : toIso(next),
    tick_at: next === null ? null : toIso(next + row.splay_offset_ms),
  };
}

/** Whether a schedule can have this key. */
export function isScheduleKey(key: string): boolean {
  // dots alone have a meaning in an address
  return typeof key === 'string' && /^(?!\.{1,2}$)[A-Za-z0-9:_.@-]{1,200}$/.test(key);
}

/**
 * The payload of a due time must be one that `enqueue` accepts, and differ from the payload of every other due time.
 */
function checkPayload(contract: JobContract, payload: unknown, rule: Rule, nowMs: number): void {
  checkPayloadShape(contract.type, payload, DEFAULT_PAYLOAD_LIMIT_BYTES);
  const sample = renderPayload(contract.type, payload, nextDueTime(rule, nowMs) ?? nowMs, rule.timeZone);
  checkJobRequest(jobRequest(contract, sample));
  // the payload is stored as it was given: with its templates, and with fields that the contract would leave out
  encodePayload({ ...contract, payload: ANYTHING }, payload, DEFAULT_PAYLOAD_LIMIT_BYTES);
  if (!hasTemplate(payload) && contract.keyOf !== null && rule.kind.name !== 'at') {
    const reason =
      'every due time would have the same idempotency key, so that only the first would ever run; take something from the due time, such as {"$due": "date"}';
    throw new DueworkError('invalid_template', { type: contract.type, pointer: '', reason });
  }
}

const ANYTHING: JobContract['payload'] = {
  '~standard': { version: 1, vendor: 'duework', validate: (value) => ({ value }) },
};

function readMissed(given: ScheduleOptions['missed'] = 'latest'): MissedPolicy {
  const {
    policy,
    tolerance,
    limit = 10,
    maxAge,
  } = typeof given === 'string' || given === null ? { policy: given } : given;
  check('missed', policy, MISSED_POLICIES.includes(policy), `one of ${MISSED_POLICIES.join(', ')}`);
  checkLimit('missed.limit', limit);
  return {
    policy,
    toleranceMs: toMs('missed.tolerance', tolerance, 300_000, Infinity),
    limit,
    maxAgeMs: toMs('missed.maxAge', maxAge, DAY_MS, Infinity),
  };
}

function readOverlap(given: ScheduleOptions['overlap'] = 'skip'): OverlapPolicy {
  const { policy, limit = 10 } = typeof given === 'string' || given === null ? { policy: given } : given;
  check('overlap', policy, OVERLAP_POLICIES.includes(policy), `one of ${OVERLAP_POLICIES.join(', ')}`);
  checkLimit('overlap.limit', limit);
  return { policy, limit };
}

function checkLimit(option: string, limit: number): void {
  check(option, limit, Number.isInteger(limit) && limit >= 1 && limit <= 1_000, 'a whole number from 1 to 1,000');
}

function toMs(option: string, duration: Duration | undefined, fallback: number, max: number): number {
  if (duration === undefined) return fallback;
  const expected =
    max === DAY_MS ? 'a duration of at most "1d"' : 'a duration such as "5m" or "90d", of at most ten years';
  let ms: number;
  try {
    ms = parseDuration(duration);
  } catch (cause) {
    throw new DueworkError('invalid_option', { option, expected, value: duration }, { cause });
  }
  check(option, duration, ms <= max, expected);
  return ms;
}

function check(option: string, value: unknown, isValid: boolean, expected: string): void {
  if (!isValid) throw new DueworkError('invalid_option', { option, expected, value });
}

export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

import { describe, expect, test } from '@jest/globals';
import { decideDueTimes, MAX_OUTAGE_MS, MAX_DUE_TIMES, type DueSchedule } from './decide-due-times.js';
import { parseRule } from '../rules/rule.js';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

function schedule(change: Partial<DueSchedule> = {}): DueSchedule {
  return {
    rule: parseRule({ every: '1m' }),
    splayOffsetMs: 0,
    nextDueMs: START,
    hasLiveRun: false,
    waitingMs: [],
    missed: { policy: 'latest', toleranceMs: 5 * MINUTE, limit: 3, maxAgeMs: 60 * MINUTE },
    overlap: { policy: 'allow', limit: 2 },
    ...change,
  };
}
const outcomes = (due: DueSchedule, nowMs: number): (string | null)[][] =>
  decideDueTimes(due, nowMs).dueTimes.map(({ outcome, reason }) => (reason === null ? [outcome] : [outcome, reason]));
const missed = (policy: 'skip' | 'latest' | 'all') => ({ missed: { ...schedule().missed, policy } });
const overlap = (policy: DueSchedule['overlap']['policy']) => ({
  missed: { ...schedule().missed, policy: 'all' as const },
  overlap: { policy, limit: 2 },
});

describe('missed due times', () => {
  test('with `skip` the newest fires if it is not late, and no other fires', () => {
    expect(outcomes(schedule(missed('skip')), START + 2 * MINUTE)).toEqual([
      ['skip', 'missed'],
      ['skip', 'missed'],
      ['fire'],
    ]);
    const daily = schedule({ ...missed('skip'), rule: parseRule({ cron: '@daily' }) });
    expect(outcomes(daily, START + 5 * MINUTE)).toEqual([['fire']]);
    expect(outcomes(daily, START + 5 * MINUTE + 1)).toEqual([['skip', 'missed']]);
  });

  test('with `latest` the newest fires, however late', () => {
    expect(outcomes(schedule({ rule: parseRule({ cron: '@daily' }) }), START + 20 * 3_600_000)).toEqual([['fire']]);
    expect(outcomes(schedule(), START + 2 * MINUTE)).toEqual([['skip', 'missed'], ['skip', 'missed'], ['fire']]);
  });

  test('with `all` the newest fire up to the limit, and none that is older than the age', () => {
    expect(outcomes(schedule(missed('all')), START + 3 * MINUTE)).toEqual([
      ['skip', 'over_limit'],
      ['fire'],
      ['fire'],
      ['fire'],
    ]);
    const hourly = schedule({ ...missed('all'), rule: parseRule({ cron: '@hourly' }) });
    expect(outcomes(hourly, START + 130 * MINUTE)).toEqual([['skip', 'too_old'], ['skip', 'too_old'], ['fire']]);
  });

  test('before the first due time nothing is decided, and the next tick is when it comes', () => {
    expect(decideDueTimes(schedule({ splayOffsetMs: 10 }), START + 9)).toEqual({
      dueTimes: [],
      isCancellingRunning: false,
      nextDueMs: START,
      tickAtMs: START + 10,
    });
  });

  test('a long outage of a frequent rule is decided in parts, and the limit counts across them', () => {
    const due = schedule({
      rule: parseRule({ every: '1s' }),
      missed: { policy: 'all', toleranceMs: 0, limit: 3, maxAgeMs: 86_400_000 },
    });
    const nowMs = START + 1_000 * (MAX_DUE_TIMES + 1);
    const first = decideDueTimes(due, nowMs);
    expect(first.dueTimes).toHaveLength(MAX_DUE_TIMES);
    expect(first.dueTimes.slice(-2).map(({ outcome }) => outcome)).toEqual(['skip', 'fire']);
    const second = decideDueTimes({ ...due, nextDueMs: first.nextDueMs }, nowMs);
    expect(second.dueTimes.map(({ outcome }) => outcome)).toEqual(['fire', 'fire']);
    expect(second.nextDueMs).toBe(nowMs + 1_000);
  });

  test('due times that a frequent rule missed for more than a week share one line of the ledger, and the rest is decided', () => {
    const due = schedule({ rule: parseRule({ every: '1s' }) });
    const nowMs = START + 60 * 86_400_000;
    const first = decideDueTimes(due, nowMs);
    expect(first.dueTimes).toEqual([{ dueMs: START, outcome: 'skip', reason: 'outage' }]);
    expect(first.nextDueMs).toBe(nowMs - MAX_OUTAGE_MS + 1_000);
  });

  test('the end of the rule ends the ticking', () => {
    expect(decideDueTimes(schedule({ rule: parseRule({ at: new Date(START) }) }), START)).toMatchObject({
      dueTimes: [{ outcome: 'fire' }],
      nextDueMs: null,
      tickAtMs: null,
    });
  });
});

describe('overlap', () => {
  const now = START + 2 * MINUTE;

  test('with `allow` all fire', () => {
    expect(outcomes(schedule({ ...overlap('allow'), hasLiveRun: true }), now)).toEqual([['fire'], ['fire'], ['fire']]);
  });

  test('with `skip` none fires beside a live run, and one fires where no run is live', () => {
    expect(outcomes(schedule({ ...overlap('skip'), hasLiveRun: true }), now)).toEqual([
      ['skip', 'overlap'],
      ['skip', 'overlap'],
      ['skip', 'overlap'],
    ]);
    expect(outcomes(schedule(overlap('skip')), now)).toEqual([['fire'], ['skip', 'overlap'], ['skip', 'overlap']]);
  });

  test('with `queue` one fires, as many as the limit wait, and the rest is skipped', () => {
    expect(outcomes(schedule({ ...overlap('queue'), hasLiveRun: true }), now)).toEqual([
      ['wait'],
      ['wait'],
      ['skip', 'queue_full'],
    ]);
    expect(outcomes(schedule(overlap('queue')), now)).toEqual([['fire'], ['wait'], ['wait']]);
    const busy = decideDueTimes(schedule({ ...overlap('queue'), hasLiveRun: true }), now);
    expect(busy.tickAtMs).toBe(now + 1_000);
  });

  test('with `queue` the oldest that waits fires when the run has ended, and a new due time takes its place', () => {
    const due = schedule({ ...overlap('queue'), waitingMs: [START - 2 * MINUTE, START - MINUTE] });
    expect(decideDueTimes(due, START).dueTimes).toEqual([
      { dueMs: START - 2 * MINUTE, outcome: 'fire', reason: null },
      { dueMs: START, outcome: 'wait', reason: null },
    ]);
    expect(decideDueTimes({ ...due, hasLiveRun: true }, START).dueTimes).toEqual([
      { dueMs: START, outcome: 'skip', reason: 'queue_full' },
    ]);
    expect(decideDueTimes({ ...due, nextDueMs: null, waitingMs: [START] }, now)).toEqual({
      dueTimes: [{ dueMs: START, outcome: 'fire', reason: null }],
      isCancellingRunning: false,
      nextDueMs: null,
      tickAtMs: null,
    });
  });

  test('with `cancel-running` the newest fires, and the live run is asked to end', () => {
    const decided = decideDueTimes(schedule({ ...overlap('cancel-running'), hasLiveRun: true }), now);
    expect(decided.dueTimes.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['skip', 'superseded'],
      ['skip', 'superseded'],
      ['fire', null],
    ]);
    expect(decided.isCancellingRunning).toBe(true);
    expect(decideDueTimes(schedule(overlap('cancel-running')), now).isCancellingRunning).toBe(false);
  });

  test('due times that wait are not lost when the policy is changed', () => {
    const waitingMs = [START - 2 * MINUTE, START - MINUTE];
    expect(outcomes(schedule({ ...overlap('allow'), nextDueMs: null, waitingMs }), now)).toEqual([['fire'], ['fire']]);
    expect(outcomes(schedule({ ...overlap('skip'), nextDueMs: null, waitingMs }), now)).toEqual([['fire']]);
    expect(outcomes(schedule({ ...overlap('cancel-running'), nextDueMs: null, waitingMs }), now)).toEqual([['fire']]);
    expect(outcomes(schedule({ ...overlap('cancel-running'), nextDueMs: START, waitingMs }), START)).toEqual([
      ['skip', 'superseded'],
      ['skip', 'superseded'],
      ['fire'],
    ]);
  });
});

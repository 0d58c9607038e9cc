import { describe, expect, test } from '@jest/globals';
import { decideSlots, MAX_OUTAGE_MS, MAX_SLOTS, type DueSchedule } from './decide-slots.js';
import { parseRule } from '../rules/rule.js';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

function schedule(change: Partial<DueSchedule> = {}): DueSchedule {
  return {
    rule: parseRule({ every: '1m' }),
    splayOffsetMs: 0,
    nextSlotMs: START,
    hasLiveRun: false,
    waitingMs: [],
    missed: { policy: 'latest', toleranceMs: 5 * MINUTE, limit: 3, maxAgeMs: 60 * MINUTE },
    overlap: { policy: 'allow', limit: 2 },
    ...change,
  };
}
const outcomes = (due: DueSchedule, nowMs: number): (string | null)[][] =>
  decideSlots(due, nowMs).slots.map(({ outcome, reason }) => (reason === null ? [outcome] : [outcome, reason]));
const missed = (policy: 'skip' | 'latest' | 'all') => ({ missed: { ...schedule().missed, policy } });
const overlap = (policy: DueSchedule['overlap']['policy']) => ({
  missed: { ...schedule().missed, policy: 'all' as const },
  overlap: { policy, limit: 2 },
});

describe('missed slots', () => {
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

  test('when no slot is due, nothing is decided, and the next tick is when one is', () => {
    expect(decideSlots(schedule({ splayOffsetMs: 10 }), START + 9)).toEqual({
      slots: [],
      isCancellingRunning: false,
      nextSlotMs: START,
      tickAtMs: START + 10,
    });
  });

  test('a long outage of a frequent rule is decided in parts, and the limit counts across them', () => {
    const due = schedule({
      rule: parseRule({ every: '1s' }),
      missed: { policy: 'all', toleranceMs: 0, limit: 3, maxAgeMs: 86_400_000 },
    });
    const nowMs = START + 1_000 * (MAX_SLOTS + 1);
    const first = decideSlots(due, nowMs);
    expect(first.slots).toHaveLength(MAX_SLOTS);
    expect(first.slots.slice(-2).map(({ outcome }) => outcome)).toEqual(['skip', 'fire']);
    const second = decideSlots({ ...due, nextSlotMs: first.nextSlotMs }, nowMs);
    expect(second.slots.map(({ outcome }) => outcome)).toEqual(['fire', 'fire']);
    expect(second.nextSlotMs).toBe(nowMs + 1_000);
  });

  test('slots that a frequent rule missed for more than a week share one line of the ledger, and the rest is decided', () => {
    const due = schedule({ rule: parseRule({ every: '1s' }) });
    const nowMs = START + 60 * 86_400_000;
    const first = decideSlots(due, nowMs);
    expect(first.slots).toEqual([{ slotMs: START, outcome: 'skip', reason: 'outage' }]);
    expect(first.nextSlotMs).toBe(nowMs - MAX_OUTAGE_MS + 1_000);
  });

  test('the end of the rule ends the ticking', () => {
    expect(decideSlots(schedule({ rule: parseRule({ at: new Date(START) }) }), START)).toMatchObject({
      slots: [{ outcome: 'fire' }],
      nextSlotMs: null,
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
    const busy = decideSlots(schedule({ ...overlap('queue'), hasLiveRun: true }), now);
    expect(busy.tickAtMs).toBe(now + 1_000);
  });

  test('with `queue` the oldest that waits fires when the run has ended, and a new slot takes its place', () => {
    const due = schedule({ ...overlap('queue'), waitingMs: [START - 2 * MINUTE, START - MINUTE] });
    expect(decideSlots(due, START).slots).toEqual([
      { slotMs: START - 2 * MINUTE, outcome: 'fire', reason: null },
      { slotMs: START, outcome: 'wait', reason: null },
    ]);
    expect(decideSlots({ ...due, hasLiveRun: true }, START).slots).toEqual([
      { slotMs: START, outcome: 'skip', reason: 'queue_full' },
    ]);
    expect(decideSlots({ ...due, nextSlotMs: null, waitingMs: [START] }, now)).toEqual({
      slots: [{ slotMs: START, outcome: 'fire', reason: null }],
      isCancellingRunning: false,
      nextSlotMs: null,
      tickAtMs: null,
    });
  });

  test('with `cancel-running` the newest fires, and the live run is asked to end', () => {
    const decided = decideSlots(schedule({ ...overlap('cancel-running'), hasLiveRun: true }), now);
    expect(decided.slots.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['skip', 'superseded'],
      ['skip', 'superseded'],
      ['fire', null],
    ]);
    expect(decided.isCancellingRunning).toBe(true);
    expect(decideSlots(schedule(overlap('cancel-running')), now).isCancellingRunning).toBe(false);
  });

  test('slots that wait are not lost when the policy is changed', () => {
    const waitingMs = [START - 2 * MINUTE, START - MINUTE];
    expect(outcomes(schedule({ ...overlap('allow'), nextSlotMs: null, waitingMs }), now)).toEqual([['fire'], ['fire']]);
    expect(outcomes(schedule({ ...overlap('skip'), nextSlotMs: null, waitingMs }), now)).toEqual([['fire']]);
    expect(outcomes(schedule({ ...overlap('cancel-running'), nextSlotMs: null, waitingMs }), now)).toEqual([['fire']]);
    expect(outcomes(schedule({ ...overlap('cancel-running'), nextSlotMs: START, waitingMs }), START)).toEqual([
      ['skip', 'superseded'],
      ['skip', 'superseded'],
      ['fire'],
    ]);
  });
});

import { describe, expect, test } from '@jest/globals';
import type { DueTime } from '../../api/use-schedules.js';
import { expectFrom, makeDueTimes } from './make-due-times.js';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 14, 9, minute)).toISOString();
const now = Date.parse(at(10)) + 1;
const line = (minute: number, more: Partial<DueTime> = {}): DueTime => ({
  scheduleKey: 's',
  type: 't',
  dueAt: at(minute),
  outcome: 'fired',
  reason: null,
  runId: '1',
  runStatus: 'succeeded',
  firesAt: at(minute),
  decidedAt: at(minute),
  lateMs: 200,
  pause: null,
  ...more,
});
const kinds = (ledger: readonly DueTime[], expected: readonly number[], next: number | null): readonly string[] =>
  makeDueTimes(
    ledger,
    expected.map((minute) => ({ dueAt: at(minute) })),
    { nextDueAt: next === null ? null : at(next) },
    now,
  ).map(({ kind }) => kind);

describe('the due times of a schedule', () => {
  test('are fired, late, triggered or skipped as the ledger says, and dead as their job', () => {
    const ledger = [
      line(4, { outcome: 'skipped', reason: 'overlap', runId: null, runStatus: null }),
      line(3, { reason: 'triggered' }),
      line(2, { lateMs: 90_000 }),
      line(1),
      line(0, { runStatus: 'running' }),
      line(-1, { runStatus: 'dead', lateMs: 90_000 }),
    ];
    expect(kinds(ledger, [1, 2, 4], 11)).toEqual(['dead', 'live', 'fired', 'late', 'triggered', 'skipped']);
  });

  test('one that the rule has and the ledger does not is missing before the next due time, and undecided from it on', () => {
    expect(kinds([line(1)], [1, 2, 9, 10, 11], 9)).toEqual(['fired', 'missing', 'undecided', 'undecided']);
    expect(kinds([line(1)], [1, 2], null)).toEqual(['fired', 'missing']);
  });

  test('those that the line of an outage stands for are not missing', () => {
    const outage = line(1, { outcome: 'skipped', reason: 'outage', runId: null, runStatus: null });
    expect(kinds([line(4), outage], [1, 2, 3, 4, 5], 11)).toEqual(['skipped', 'fired', 'missing']);
  });

  test('are expected only where lines are still kept, and since the schedule was changed', () => {
    expect(expectFrom([line(4), line(1)], { updatedAt: at(0) }, now)).toBe(at(1));
    expect(expectFrom([line(4), line(1)], { updatedAt: at(3) }, now)).toBe(at(3));
    expect(expectFrom([], { updatedAt: at(3) }, now)).toBe(at(3));
    expect(Date.parse(expectFrom([], { updatedAt: at(-9_000) }, now))).toBeGreaterThan(now - 86_400_000);
  });
});

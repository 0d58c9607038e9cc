import { expect, test } from '@jest/globals';
import { listNext } from './list-next.js';

/** Nine in the morning in Berlin, day by day. */
const daily = (days: number) =>
  Array.from({ length: days }, (_, day) => {
    const date = new Date(Date.UTC(2026, 2, 14 + day));
    const isSummer = date >= new Date('2026-03-29');
    const dueAt = new Date(date.getTime() + (isSummer ? 7 : 8) * 3_600_000).toISOString();
    const local = `${dueAt.slice(0, 10)}T09:00:00${isSummer ? '+02:00' : '+01:00'}`;
    return { dueAt, local, firesAt: dueAt, dst: null };
  });

test('after the next due times comes the one before which clocks change, and by how much', () => {
  const next = listNext(daily(30), 8);
  expect(next).toHaveLength(9);
  expect(next[8]).toMatchObject({ clockMinutes: 60, isApart: true, dueTime: { local: '2026-03-29T09:00:00+02:00' } });
});

test('where no clock changes, the next due times are all', () => {
  expect(listNext(daily(12), 8).map(({ clockMinutes }) => clockMinutes)).toEqual(Array(8).fill(0));
});

import { expect, test } from '@jest/globals';
import { listChanges } from './list-changes.js';

test('of before and after, what differs is told, and what came or went', () => {
  expect(
    listChanges(
      { status: 'dead', attempts: 3, reason: null },
      { status: 'queued', attempts: 3, rule: { every: '1h' } },
    ),
  ).toEqual([
    { name: 'status', before: 'dead', after: 'queued' },
    { name: 'rule', before: null, after: '{"every":"1h"}' },
  ]);
  expect(listChanges(null, { cron: '0 3 * * *' })).toEqual([{ name: 'cron', before: null, after: '0 3 * * *' }]);
  expect(listChanges({ cron: '0 3 * * *' }, null)).toEqual([{ name: 'cron', before: '0 3 * * *', after: null }]);
  expect(listChanges(null, null)).toEqual([]);
});

test('what the entry does not say of afterwards is no change', () => {
  expect(listChanges({ status: 'queued', attempts: 0 }, { status: 'cancelled' })).toEqual([
    { name: 'status', before: 'queued', after: 'cancelled' },
  ]);
});

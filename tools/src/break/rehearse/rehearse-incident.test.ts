import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { rehearseIncident } from './rehearse-incident.js';

const JOBS = 200;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('what died of a provider that was down is found, retried, undone and retried, and the audit tells who did it', async () => {
  const timeline: string[] = [];
  const seen = await rehearseIncident({ databaseUrl: database.url, jobs: JOBS, say: (line) => timeline.push(line) });
  expect(seen.previewed).toBe(JOBS);
  // what a worker had taken before the undo died again by itself
  expect(seen.undone.done + (seen.undone.refused['changed_meanwhile'] ?? 0)).toBe(JOBS);
  expect(seen.deadAfterUndo).toMatchObject({ count: JOBS, atLeast: false });
  expect(seen.retried).toMatchObject({ status: 'finished', done: JOBS, refused: {} });
  expect([seen.arrived, seen.twice]).toEqual([JOBS, 0]);
  const told = seen.audit.toReversed().map(({ by, verb, reason }) => [by, verb, reason]);
  expect(told.filter(([, verb]) => verb !== 'finish_bulk_action')).toEqual([
    ['key:ana', 'start_bulk_action', 'the provider says it is back'],
    ['key:ana', 'undo_bulk_action', 'it is not back'],
    ['key:ana', 'start_bulk_action', 'the provider is back'],
  ]);
  expect(timeline.join('\n')).toContain('ana sees them die again');
});

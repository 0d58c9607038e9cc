import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { incidents } from './incidents.js';
import { runIncident } from './run-incident.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('an incident is brought about, found with the commands of the docs, mended, and proven over', async () => {
  const said: string[] = [];
  const { left, took } = await runIncident({
    databaseUrl: database.url,
    name: 'customer',
    incident: incidents['customer']!,
    play: 'commands',
    say: (line) => void said.push(line),
  });
  expect(left).toEqual([]);
  expect(took).toBe('7 commands');
  expect(said.join('\n')).toContain('never got a receipt');
});

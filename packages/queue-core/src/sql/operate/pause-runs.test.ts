import { beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { openQueue } from '../../queue/open-queue.js';

const database = useTestDatabase();
const act = { by: 'person:ana@example.org', via: 'api', from: '10.0.0.7', reason: 'the provider is down' } as const;

beforeEach(async () => {
  await emptyTables(database.db, 'pauses');
});

test('a resume wakes every worker that listens, at its commit', async () => {
  const queue = openQueue(database.db);
  await queue.pauseQueue('post');
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  try {
    await listener.query('LISTEN duework_wake');
    const heard: string[] = [];
    const ended = new Promise<void>((resolve) => {
      listener.on('notification', ({ payload = '' }) => (payload === 'end' ? resolve() : heard.push(payload)));
    });
    await queue.resumeQueue('post');
    await database.db.$queryRaw`SELECT pg_notify('duework_wake', 'end')::text`;
    await ended;
    expect(heard).toEqual(['']);
  } finally {
    await listener.end();
  }
});

test('the audit has who paused and resumed what, why, and until when', async () => {
  const queue = openQueue(database.db);
  const until = new Date(Date.UTC(2999, 0, 1));
  const first = await queue.pauseQueue('mail', { ...act, until });
  await queue.pauseQueue('mail', { by: 'key:deploy' });
  await queue.resumeQueue('mail', act);
  // nothing is changed by it
  await queue.resumeQueue('mail', act);
  const entries = await database.db.$queryRaw<object[]>`
    SELECT verb, kind, target, by, via, from_address, reason, before, after FROM duework.audit_entries WHERE target = 'mail' ORDER BY id`;
  const since = first.since.toISOString();
  const was = { since, until: until.toISOString(), by: act.by, reason: act.reason };
  const of = { kind: 'queue', target: 'mail' };
  const ana = { by: act.by, via: 'api', from_address: act.from, reason: act.reason };
  expect(entries).toEqual([
    { ...of, ...ana, verb: 'pause_queue', before: null, after: was },
    {
      ...of,
      verb: 'pause_queue',
      by: 'key:deploy',
      via: 'program',
      from_address: null,
      reason: null,
      before: was,
      after: { since, by: 'key:deploy' },
    },
    { ...of, ...ana, verb: 'resume_queue', before: { since, by: 'key:deploy' }, after: null },
  ]);
});

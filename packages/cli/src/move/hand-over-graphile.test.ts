import { emptyTables } from '@duework/testing/fixtures';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineCatalog, defineJob } from '@duework/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { Logger, makeWorkerUtils, run as runGraphile } from 'graphile-worker';
import { z } from 'zod';
import { readCrontab } from './read-crontab.js';
import { openGraphilePool } from './testing/open-graphile-pool.js';
import { useMoves } from './testing/use-moves.js';

const sendMail = defineJob({ type: 'sendMail', payload: z.object({ n: z.int() }) });
const { database, plan, move } = useMoves(defineCatalog([sendMail]));
const dir = mkdtempSync(join(tmpdir(), 'duework-crontab-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const file = join(dir, 'crontab');
const FROM = ['--from', 'graphile-worker', '--crontab', file];
/** It fires what was due within three minutes when a worker starts. */
const EVERY_MINUTE = '* * * * * sendMail ?fill=3m {"n": 1}';

beforeAll(async () => {
  const pgPool = openGraphilePool(database.url);
  const utils = await makeWorkerUtils({ pgPool });
  await utils.migrate();
  await utils.release();
  await pgPool.end();
});
beforeEach(async () => {
  await database.db.$executeRaw`DELETE FROM graphile_worker._private_jobs`;
  await database.db.$executeRaw`DELETE FROM graphile_worker._private_known_crontabs`;
  await emptyTables(database.db, 'job_runs, job_history, job_keys, schedules');
  await database.db.$executeRaw`
    INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since) VALUES ('sendMail', now() - interval '1 day')`;
});

/** A worker of the old program starts with its crontab, fires what is due, and stops. */
async function startWorker(crontab: string): Promise<void> {
  const events = new EventEmitter();
  const started = new Promise((resolve) => events.once('cron:started', resolve));
  const pgPool = openGraphilePool(database.url);
  const runner = await runGraphile({
    pgPool,
    crontab,
    events: events as never,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { elsewhere: () => {} },
  });
  await started;
  await runner.stop();
  await pgPool.end();
}

const minutes = async (): Promise<string[]> => {
  const rows = await database.db.$queryRaw<{ due: Date }[]>`
    SELECT date_trunc('minute', run_at) AS due FROM duework.job_runs
    UNION ALL SELECT date_trunc('minute', run_at) FROM graphile_worker._private_jobs ORDER BY 1`;
  return rows.map(({ due }) => due.toISOString());
};
const schedules = async () =>
  database.db.$queryRaw<{ key: string }[]>`SELECT key, cron, time_zone, payload FROM duework.schedules ORDER BY key`;

test('a crontab is read as graphile-worker reads it', () => {
  const text = `
# a comment
0 4 * * * task ?id=daily&fill=1d&max=3 {"a": 1}
*/5  8-17   *  *  1-5   ns:other/task
@daily task`;
  expect(readCrontab(text)).toEqual({
    lines: [
      { cron: '0 4 * * *', task: 'task', identifier: 'daily', payload: '{"a": 1}' },
      { cron: '*/5 8-17 * * 1-5', task: 'ns:other/task', identifier: 'ns:other/task', payload: undefined },
    ],
    unknown: ['@daily task'],
  });
});

test('each line becomes a schedule; what cannot stays, and is told what to do', async () => {
  const lines = [
    '0 3 * * * sendMail ?id=daily {"n": 1}',
    '0 4 * * * sendMail {n: 1}',
    '0 5 * * * sendMail ?id=refused {"n": "one"}',
    '0 6 * * * other',
  ];
  writeFileSync(file, lines.join('\n'));
  const told = [
    { name: 'daily', key: 'sendMail:daily', stays: null },
    { name: 'sendMail', key: null, stays: expect.stringContaining('JSON5') },
    { name: 'refused', key: null, stays: expect.stringContaining('/n') },
    { name: 'other', key: null, stays: 'no contract' },
  ];
  expect((await plan(...FROM)).schedules).toMatchObject(told);
  expect(await schedules()).toEqual([]);
  expect((await move(...FROM)).schedules).toMatchObject(told);
  expect(await schedules()).toEqual([
    { key: 'sendMail:daily', cron: '0 3 * * *', time_zone: 'UTC', payload: { n: 1 } },
  ]);
});

test('a due time that graphile-worker has not fired is fired here once, and a worker that still has the crontab fires nothing', async () => {
  writeFileSync(file, EVERY_MINUTE);
  await move(...FROM);
  await move(...FROM);
  expect(await minutes()).toHaveLength(1);
  await startWorker(EVERY_MINUTE);
  expect(await minutes()).toHaveLength(1);
});

test('what graphile-worker has fired is not fired here, and moves', async () => {
  writeFileSync(file, EVERY_MINUTE);
  await startWorker(EVERY_MINUTE);
  const fired = await minutes();
  expect(fired.length).toBeGreaterThan(1);
  await move(...FROM);
  const all = await minutes();
  expect(new Set(all).size).toBe(all.length);
  expect(all.slice(0, fired.length)).toEqual(fired);
  expect(await database.db.$queryRaw`SELECT 1 FROM graphile_worker._private_jobs`).toEqual([]);
});

test('undo lets graphile-worker fire again, and no due time twice', async () => {
  writeFileSync(file, EVERY_MINUTE);
  await startWorker(EVERY_MINUTE);
  await move(...FROM);
  expect((await move('--from', 'graphile-worker', '--undo')).schedules).toEqual([
    { name: 'sendMail', rule: '* * * * *', key: 'sendMail', stays: null },
  ]);
  expect(await schedules()).toEqual([]);
  const before = await minutes();
  await startWorker(EVERY_MINUTE);
  const all = await minutes();
  expect(new Set(all).size).toBe(all.length);
  expect(all.slice(0, before.length)).toEqual(before);
  // its next due time is its own
  const [{ isFree }] = await database.db.$queryRaw<[{ isFree: boolean }]>`
    SELECT last_execution < now() AS "isFree" FROM graphile_worker._private_known_crontabs WHERE identifier = 'sendMail'`;
  expect(isFree).toBe(true);
});

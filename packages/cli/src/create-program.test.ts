import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { saveSchedule, due } from '@duework/schedules';
import pg from 'pg';
import { z } from 'zod';
import { createProgram } from './create-program.js';
import { programParts } from './testing/program-parts.js';
import { parseMoment } from './schedules/parse-moment.js';

const cleanupNightly = defineJob({ type: 'cleanup_nightly', payload: z.object({ day: z.iso.date() }) });
const catalog = defineCatalog([cleanupNightly]);

let database: TestDatabase;
let db: PgClient;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 2 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

async function query(text: string): Promise<void> {
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(text);
  await client.end();
}

async function run(...args: string[]): Promise<string> {
  let out = '';
  const program = createProgram(programParts({ db: async () => db, catalog, write: (text) => (out += text) }));
  await program.parseAsync(args, { from: 'user' });
  return out;
}

test('the question "did it run last night?" is answered in one line', async () => {
  expect(await run('schedules')).toBe('There are no schedules.\n');
  await saveSchedule(db, cleanupNightly, {
    key: 'cleanup_nightly',
    cron: '0 2 * * *',
    payload: { day: due.date({ addDays: -1 }) },
  });
  // last night's due time has come
  await query(`UPDATE duework.schedules SET next_due_at = next_due_at - interval '1 day', tick_at = now()`);
  expect(await run('schedules', 'due-times', 'cleanup_nightly', '--since', 'yesterday')).toMatch(
    /^No due times since \d{4}-\d\d-\d\dT00:00:00\+00:00\.\n$/,
  );
  expect(await run('schedules', 'tick')).toBe('1 fired, 0 skipped, 0 waiting.\n');
  const lines = (await run('schedules', 'due-times', 'cleanup_nightly', '--since', 'yesterday')).split('\n');
  expect(lines[0]).toMatch(/^DUE +SCHEDULE +OUTCOME +WHY +JOB +CAME TO +LATE$/);
  expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT02:00:00\+00:00 +cleanup_nightly +fired +\d+ +queued/);
  expect(JSON.parse(await run('schedules', 'due-times', '--json', '--outcome', 'fired')).dueTimes).toHaveLength(1);
  expect(await run('schedules')).toMatch(
    /cleanup_nightly +cleanup_nightly +At 02:00, in UTC +\d{4}-\d\d-\d\dT02:00:00\+00:00 +active, api\n$/,
  );
});

test('schedules are paused, resumed, triggered and deleted', async () => {
  await saveSchedule(db, cleanupNightly, { key: 'mine', cron: '0 2 * * *', payload: { day: due.date() } });
  expect(await run('schedules', 'preview', '--schedule', 'mine', '--count', '1')).toMatch(
    /^At 02:00, in UTC\nOf missed due times the newest fires, however late\. A due time is skipped while a run is live\.\n\nDUE/,
  );
  expect(await run('pause', 'schedule', 'mine')).toMatch(/^The schedule mine is paused\. Resume it with: npx /);
  expect(await run('resume', 'schedule', 'mine')).toMatch(/^The schedule mine continues; its next due time is \d{4}-/);
  expect(await run('schedules', 'trigger', 'mine')).toMatch(/^mine runs as job \d+\.\n$/);
  expect(await run('schedules', 'delete', 'mine')).toBe('mine is deleted.\n');
  await expect(run('schedules', 'delete', 'mine')).rejects.toMatchObject({ code: 'schedule_not_found' });
});

test('a preview marks where the clock changes, and needs no database', async () => {
  expect(await run('schedules', 'preview', '30 2 * * *', '--zone', 'Europe/Berlin', '--count', '2')).toBe(
    [
      'At 02:30, in Europe/Berlin',
      '',
      'DUE                        UTC',
      '2026-03-29T03:00:00+02:00  2026-03-29T01:00:00Z  clock set forward: its time does not exist, runs right after',
      '2026-03-30T02:30:00+02:00  2026-03-30T00:30:00Z',
      '',
    ].join('\n'),
  );
  expect(await run('schedules', 'preview', '--every', '90m')).toMatch(/^Every 90 minutes\n/);
  await expect(run('schedules', 'preview', '0 0 31 2 *')).rejects.toMatchObject({ code: 'rule_never_fires' });
});

describe('moments', () => {
  const now = Date.parse('2026-03-29T12:00:00Z');
  test.each([
    ['today', '2026-03-28T23:00:00.000Z'],
    ['yesterday', '2026-03-27T23:00:00.000Z'],
    ['2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['24h', '2026-03-28T12:00:00.000Z'],
    ['2026-03-01T02:00:00+01:00', '2026-03-01T01:00:00.000Z'],
  ])('the text %p is read as a moment in Berlin', (text, moment) => {
    expect(parseMoment(text, now, 'Europe/Berlin').toISOString()).toBe(moment);
  });

  test.each(['tomorrow', '2026-02-30', '2026-03-01T02:00', ''])('the text %p is refused', (text) => {
    expect(() => parseMoment(text, now, 'Europe/Berlin')).toThrow(/is not a time/);
  });
});

test('the program prints help, tables, and one readable line for an error', () => {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const start = (args: string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } });
  const help = start(['--help']);
  expect(help.status).toBe(0);
  for (const word of ['Schedules:', 'schedules due-times', 'DATABASE_URL']) expect(help.stdout).toContain(word);
  expect(help.stdout).not.toContain('dev-console');
  const shown = start(['schedules'], { DATABASE_URL: database.url });
  expect(shown.stdout).toMatch(/^KEY +TYPE/);
  expect(shown.status).toBe(0);
  for (const [args, env, line] of [
    [['schedules'], {}, /^DATABASE_URL is not set, nor PGHOST and PGDATABASE, and no duework dev runs here\./],
    [
      ['schedules'],
      { DATABASE_URL: 'postgres://postgres:geheim@127.0.0.1:1/x' },
      /^Cannot reach PostgreSQL at 127\.0\.0\.1:1\/x/,
    ],
    [['schedules', 'preview', '* * * * * * *'], {}, /is not a cron rule: it has 7 fields/],
    [
      ['schedules', 'trigger', 'none'],
      { DATABASE_URL: database.url },
      /^There is no schedule "none"\. List them: npx duework schedules list$/,
    ],
  ] as const) {
    const refused = start([...args], env);
    // what is typed cannot be used
    expect(refused.status).toBe(args[1] === 'preview' ? 2 : 1);
    const [said, ...further] = refused.stderr.trim().split('\n');
    expect(said).toMatch(line);
    // and where its code is documented
    expect(further).toEqual(
      args.length > 1 ? [expect.stringMatching(/^https:.*errors\.md#(invalid_cron|schedule_not_found)$/)] : [],
    );
  }
});

test.each<[string, string[]]>([
  ['an unknown command', ['nope']],
  ['an unknown option', ['jobs', '--nope']],
  ['a missing argument', ['explain']],
  ['what is not a moment', ['schedules', 'due-times', '--since', 'tomorrow']],
  ['what is not a filter', ['jobs', 'stauts:dead']],
])('%s ends with exit code 2', (_, args) => {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
  expect(spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', env }).status).toBe(2);
});

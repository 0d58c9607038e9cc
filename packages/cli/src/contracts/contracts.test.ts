import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Catalog, defineCatalog, defineJob, exponential } from '@duework/contracts';
import { enqueueMany, jobRequest } from '@duework/queue-core';
import { saveSchedule } from '@duework/schedules';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { z } from 'zod';
import { addContracts } from './add-contracts.js';

const database = useTestDatabase();
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'duework-contracts-'));
});
afterEach(async () => {
  rmSync(dir, { recursive: true });
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.schedules, duework.job_contracts`;
});

const v1 = z.object({ to: z.string() });
const first = defineCatalog([
  defineJob({ type: 'mail', payload: v1 }),
  defineJob({ type: 'letter', payload: z.object({}) }),
]);
const mail2 = defineJob({
  type: 'mail',
  version: 2,
  payload: z.object({ to: z.email().describe('whom | what'), copies: z.int().min(1).default(1) }),
  retry: exponential({ base: '10s', cap: '1h' }),
  idempotencyKey: ({ to }) => `mail:${to}`,
  past: { 1: { payload: v1, lift: ({ to }) => ({ to, copies: 1 }) } },
});
const second = defineCatalog([mail2, first[1]]);
const changed = defineCatalog([
  defineJob({ type: 'mail', payload: z.object({ to: z.string(), n: z.int() }) }),
  first[1],
]);

/** What the command writes, and the lines of its refusal; it needs no database unless it asks for one. */
async function run(catalog: Catalog, ...args: string[]): Promise<{ out: string; problems: string[] }> {
  let out = '';
  const program = new Command().exitOverride();
  addContracts(program, {
    catalog: async () => catalog,
    db: async () => database.db,
    write: (text) => (out += text),
    progress: () => {},
  });
  const place = args[0] === 'push' ? [] : ['--lock', join(dir, 'contracts.lock.json')];
  try {
    await program.parseAsync(['contracts', ...args, ...place], { from: 'user' });
    return { out, problems: [] };
  } catch (error) {
    return { out, problems: (error as Error).message.replaceAll(`${dir}/`, '').split('\n') };
  }
}

describe('duework contracts check', () => {
  test('says what is new, with its class, and is content', async () => {
    expect(await run(first, 'check')).toMatchObject({
      problems: ['contracts.lock.json does not exist. Write it: npx duework contracts lock'],
    });
    expect(await run(first, 'lock')).toMatchObject({ out: expect.stringMatching(/is written: commit it\.\n$/) });
    expect(await run(first, 'check')).toEqual({ out: 'The contracts are as they were released.\n', problems: [] });
    const { out, problems } = await run(second, 'check');
    expect(problems).toEqual([]);
    expect(out).toMatch(
      /^TYPE +VERSION +CHANGE +CLASS +WHY\nmail +2 +new version +safe for producers first +old payloads: \/to the format is another one\n$/,
    );
  });

  test('refuses a changed schema under an unchanged version, a past that lacks one and a type that is gone: a line for each', async () => {
    await run(second, 'lock');
    const { out, problems } = await run(changed, 'check');
    expect(problems).toEqual([
      expect.stringMatching(
        /^mail version 1: changed schema, same version: \/n .*; raise the version to 2 and keep this schema in past; .*\.$/,
      ),
      expect.stringMatching(/^mail version 2: version is gone: /),
    ]);
    expect(out).toMatch(/^mail +1 +changed schema, same version +refused$/m);
    const dropped = defineJob({ type: 'mail', version: 2, payload: mail2.payload, past: {} });
    expect((await run([dropped], 'check')).problems).toEqual([
      expect.stringMatching(/^letter: type is gone: .*duework contracts lock --retire letter\.$/),
      expect.stringMatching(/^mail version 1: past lacks it: .*duework contracts lock --retire mail@1\.$/),
    ]);
    await run([dropped], 'lock', '--retire', 'letter', 'mail@1');
    expect((await run([dropped], 'check')).problems).toEqual([]);
  });

  test('parses what is queued and scheduled, and says what would not parse and why, never a value', async () => {
    await run(first, 'lock');
    await enqueueMany(database.db, [
      jobRequest(first[0], { to: 'ada@example.com' }),
      jobRequest(first[0], { to: 'secret' }),
      jobRequest({ ...first[0], type: 'other' } as never, { to: 'x' } as never),
      jobRequest({ ...first[0], oldestVersion: 3, version: 3 }, { to: 'x' }),
    ]);
    await saveSchedule(database.db, first[0], { key: 'weekly', cron: '0 2 * * 1', payload: { to: 'secret' } });
    const { out, problems } = await run(second, 'check', '--database');
    const why = String.raw`version 1, lifted from 1 to 2: /to Invalid email address \(1\)`;
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`^mail version 1: 1 of 2 runs would not parse: ${why}\\.$`)),
      expect.stringMatching(new RegExp(`^mail version 1: 1 of 1 schedules would not parse: ${why}\\.$`)),
    ]);
    expect(out).toMatch(new RegExp(`^mail +1 +runs +2 +1 +1 +${why}$`, 'm'));
    expect(out).toMatch(/^mail +3 +runs +1 +waits for a newer worker/m);
    expect(out).toMatch(/^other +1 +runs +1 +waits for another worker/m);
    expect(out + problems.join()).not.toMatch(/secret|example\.com/);
    const dropped = defineJob({ type: 'mail', version: 2, payload: mail2.payload, past: {} });
    expect((await run([dropped], 'check', '--database')).problems).toContainEqual(
      'mail version 1: 2 runs would not be run: the past of its contract begins later.',
    );
  });
});

describe('duework contracts lock', () => {
  test('adds what is new, once; --check writes nothing and fails where something is missing', async () => {
    const file = join(dir, 'contracts.lock.json');
    expect((await run(first, 'lock', '--check')).problems).toEqual([
      'contracts.lock.json is not up to date. Run: npx duework contracts lock',
    ]);
    expect(existsSync(file)).toBe(false);
    await run(first, 'lock');
    const text = readFileSync(file, 'utf8');
    expect(await run(first, 'lock')).toMatchObject({ out: expect.stringMatching(/is up to date\.\n$/) });
    expect((await run(second, 'lock', '--check')).problems).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(text);
    // another program has formatted it
    writeFileSync(file, JSON.stringify(JSON.parse(text)));
    expect((await run(first, 'lock', '--check')).problems).toEqual([]);
    await run(second, 'lock');
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).types.mail)).toEqual(['1', '2']);
  });

  test('refuses a changed schema, and a lock that cannot be read, by name', async () => {
    await run(first, 'lock');
    expect((await run(changed, 'lock')).problems).toEqual([
      expect.stringMatching(/^Version 1 of mail differs from the released schema/),
    ]);
    writeFileSync(join(dir, 'contracts.lock.json'), '<<<<<<<');
    expect((await run(first, 'lock')).problems).toEqual([
      expect.stringMatching(/^contracts\.lock\.json: The lock is not JSON\./),
    ]);
  });
});

test('duework contracts push writes the registry, and refuses what was changed', async () => {
  expect((await run(second, 'push')).out).toMatch(/^NEW TYPE +VERSION\nletter +1\nmail +1\nmail +2\n$/);
  expect((await run(second, 'push')).out).toBe('The registry knows every version.\n');
  expect((await run(changed, 'push')).problems).toEqual([
    expect.stringMatching(/^Version 1 of mail has a schema that differs from the registered one/),
  ]);
});

test('duework contracts docs writes a page for each type: fields, versions and changes, retries, key, example', async () => {
  await run(second, 'docs', '--out', join(dir, 'pages'));
  expect(readdirSync(join(dir, 'pages')).sort()).toEqual(['letter.md', 'mail.md']);
  const page = readFileSync(join(dir, 'pages', 'mail.md'), 'utf8');
  expect(page).toMatch(/^# mail\n\nVersion 2, queue `default`, priority 5/);
  for (const line of [
    '| `to` | email | yes |  | whom \\| what |',
    '| `copies` | integer |  | from `1`, default `1` |  |',
    '| 2 | today | safe for producers first | old payloads: /to the format is another one |',
    '| 1 | lifted |  |  |',
    'At most 10, each for at most 15 min. After the first one fails it waits 10 s, then 2 times as long each time, at most 1 h.',
    'Made of the payload: `mail:ada@example.com` for the example.',
    '  "to": "ada@example.com"',
  ])
    expect(page).toContain(`${line}\n`);
});

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { connectPg, Prisma } from '@duework/database';
import { startTestWorker } from '@duework/testing';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { enqueue } from '../../enqueue/enqueue.js';
import { registerDefinitions } from '../registry/register-definitions.js';

const payload = z.object({ n: z.int() });
const plain = defineJob({ type: 'plain', payload });
const tuned = defineJob({
  type: 'tuned',
  payload: z.object({ n: z.int(), to: z.string() }),
  version: 2,
  past: { 1: { payload, lift: ({ n }) => ({ n, to: 'nobody' }) } },
  queue: 'slow-lane',
  priority: 2,
  maxAttempts: 3,
  retry: fixed('1ms'),
  defaultPayload: { n: 7, to: 'all' },
  idempotencyWindow: '1h',
});
const keyed = defineJob({ type: 'keyed', payload, idempotencyKey: ({ n }) => `keyed:${n}` });
const any = defineJob({ type: 'any_json', payload: z.json() });
const catalog = defineCatalog([plain, tuned, keyed, any]);

const database = useTestDatabase();
let session: pg.Client;
beforeAll(() => registerDefinitions(database.db, catalog));
beforeEach(async () => {
  session = new pg.Client({ connectionString: database.url });
  await session.connect();
  await session.query('TRUNCATE duework.job_runs, duework.job_keys');
});
afterEach(() => session.end());

interface Answer {
  readonly id: string;
  readonly is_deduplicated: boolean;
}
/** Sends one text without parameters, as psql does. */
async function call(args: string, on: pg.Client = session): Promise<Answer> {
  const { rows } = await on.query<Answer>(`SELECT * FROM duework.enqueue(${args})`);
  return rows[0]!;
}
/** What a call was refused with; its answer, where it was not. */
const refusal = (args: string, on?: pg.Client): Promise<unknown> => call(args, on).catch((error: unknown) => error);

/** The rows of a run and of its key without ids and moments; those that say when are told as what they are from now. */
async function rowsOf(id: string): Promise<object> {
  const { rows } = await session.query<{ run: object; key: object | null }>(
    `SELECT to_jsonb(r) - '{id,created_at}'::text[] || jsonb_build_object('run_at', round(extract(epoch FROM r.run_at - r.created_at))) AS run,
      (SELECT to_jsonb(k) - '{run_id,created_at,needed_at}'::text[] || jsonb_build_object('expires_at', round(extract(epoch FROM k.expires_at - k.created_at)))
       FROM duework.job_keys k WHERE k.run_id = r.id) AS key
     FROM duework.job_runs r WHERE r.id = $1`,
    [id],
  );
  return rows[0]!;
}

describe('duework.enqueue writes what enqueue writes', () => {
  test.each([
    ['a payload and nothing else', `'plain', '{"n": 1}'`, () => enqueue(database.db, plain, { n: 1 })],
    [
      'the defaults of a contract that has its own',
      `'tuned', '{"n": 1, "to": "me"}'`,
      () => enqueue(database.db, tuned, { n: 1, to: 'me' }),
    ],
    ['a default payload', `'tuned'`, () => enqueue(database.db, tuned, { n: 7, to: 'all' })],
    [
      'a key with a window',
      `'tuned', idempotency_key => 'one'`,
      () => enqueue(database.db, tuned, { n: 7, to: 'all' }, { idempotencyKey: 'one' }),
    ],
    [
      'the key of a contract that makes one',
      `'keyed', '{"n": 1}', idempotency_key => 'keyed:1'`,
      () => enqueue(database.db, keyed, { n: 1 }),
    ],
    [
      'every option',
      `'plain', '{"n": 1}', priority => 9, max_attempts => 1, delay => '2 hours', idempotency_key => 'k', meta => '{"a": "é"}'`,
      () =>
        enqueue(
          database.db,
          plain,
          { n: 1 },
          { priority: 9, maxAttempts: 1, delay: '2h', idempotencyKey: 'k', meta: { a: 'é' } },
        ),
    ],
    ['an empty meta as none', `'plain', '{"n": 1}', meta => '{}'`, () => enqueue(database.db, plain, { n: 1 })],
  ])('%s', async (_, args, typed) => {
    const inSql = await rowsOf((await call(args)).id);
    await session.query('TRUNCATE duework.job_runs, duework.job_keys');
    expect(inSql).toEqual(await rowsOf((await typed()).id));
  });

  test('a moment', async () => {
    const runAt = new Date('2050-03-04T05:06:07.089Z');
    await call(`'plain', '{"n": 1}', run_at => '${runAt.toISOString()}'`);
    await enqueue(database.db, plain, { n: 1 }, { runAt });
    expect(await database.db.jobRun.findMany({ select: { runAt: true } })).toEqual([{ runAt }, { runAt }]);
  });

  test('and finds the run that has the key, whichever way it was written', async () => {
    const typed = await enqueue(database.db, keyed, { n: 1 });
    expect(await call(`'keyed', '{"n": 1}', 'keyed:1'`)).toEqual({ id: typed.id, is_deduplicated: true });
    const first = await call(`'keyed', '{"n": 2}', 'keyed:2'`);
    expect(first.is_deduplicated).toBe(false);
    expect(await enqueue(database.db, keyed, { n: 2 })).toMatchObject({ id: first.id, isDeduplicated: true });
  });
});

describe('duework.enqueue is part of its transaction', () => {
  test('a transaction that is rolled back leaves no run and no key', async () => {
    await session.query('BEGIN');
    const { id } = await call(`'plain', '{"n": 1}', 'gone'`);
    expect(await rowsOf(id)).toBeDefined();
    await session.query('ROLLBACK');
    expect(await rowsOf(id)).toBeUndefined();
    expect(await call(`'plain', '{"n": 1}', 'gone'`)).toMatchObject({ is_deduplicated: false });
  });

  test('a trigger on a table of the team enqueues for each row, and not where the statement fails', async () => {
    await session.query(`
      CREATE TABLE public.orders (id integer PRIMARY KEY, note text CHECK (note <> 'bad'));
      CREATE FUNCTION public.order_placed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM duework.enqueue('keyed', jsonb_build_object('n', NEW.id), 'keyed:' || NEW.id, version => 1);
        RETURN NEW;
      END $$;
      CREATE TRIGGER order_placed AFTER INSERT ON public.orders FOR EACH ROW EXECUTE FUNCTION public.order_placed();
      INSERT INTO public.orders SELECT n, 'good' FROM generate_series(1, 3) AS n;
    `);
    await expect(session.query(`INSERT INTO public.orders VALUES (4, 'good'), (5, 'bad')`)).rejects.toThrow(
      'orders_note_check',
    );
    const { rows } = await session.query('SELECT payload, idempotency_key AS key FROM duework.job_runs ORDER BY id');
    expect(rows).toEqual([1, 2, 3].map((n) => ({ payload: { n }, key: `keyed:${n}` })));
  });

  test('a query enqueues for each of its rows', async () => {
    const { rows } = await session.query<Answer>(
      `SELECT e.* FROM generate_series(1, 20) AS n, LATERAL duework.enqueue('plain', jsonb_build_object('n', n)) AS e`,
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(20);
  });

  test('wakes workers at the commit, one for a run, and everybody for many', async () => {
    const listener = new pg.Client({ connectionString: database.url });
    await listener.connect();
    const heard: string[] = [];
    let changed = (): void => {};
    listener.on('notification', ({ payload: hint = '' }) => {
      heard.push(hint.replace(/ \d+$/, ' …'));
      changed();
    });
    await listener.query('LISTEN duework_wake');
    /** What was heard of everything that was committed before. */
    const hints = async (): Promise<string[]> => {
      await session.query(`SELECT pg_notify('duework_wake', 'last')`);
      while (heard.at(-1) !== 'last') await new Promise<void>((resolve) => (changed = resolve));
      return heard.splice(0).slice(0, -1);
    };
    await session.query('BEGIN');
    await call(`'plain', '{"n": 1}'`);
    await call(`'tuned', delay => '1 hour'`);
    await session.query('COMMIT');
    expect(await hints()).toEqual(['default 1 now …', 'slow-lane 1 later …']);
    await call(`'plain', '{"n": 1}'`);
    expect(await hints()).toEqual(['default 1 now …']);
    await session.query(`SELECT duework.enqueue('plain', '{"n": 1}') FROM generate_series(1, 1000)`);
    const many = await hints();
    expect([many[0], many[8], ...many.slice(9)]).toEqual(['default 1 now …', 'default 9 now …', 'default']);
    await call(`'keyed', '{"n": 1}', 'k'`);
    await call(`'keyed', '{"n": 1}', 'k'`);
    expect(await hints()).toEqual(['default 1 now …']);
    await listener.end();
  });
});

describe('duework.enqueue refuses', () => {
  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  test.each([
    [`'nobody'`, '22W01', 'unknown_job_type', 'There is no job type "nobody". Known: any_json, keyed, plain, tuned.'],
    ['NULL', '22W01', 'unknown_job_type', 'There is no job type null.'],
    [`'plain'`, '22W02', 'invalid_payload', 'A plain needs a payload: its contract has no default one.'],
    [`'tuned', version => 1`, '22W02', 'invalid_payload', 'A tuned needs a payload'],
    [`'plain', to_jsonb(repeat('x', 65535))`, '22W03', 'payload_too_large', 'is 65537 bytes; the limit is 65536.'],
    [`'plain', to_jsonb(repeat('é', 100000))`, '22W03', 'payload_too_large', 'is 200002 bytes'],
    [`'any_json', '${deep(101)}'`, '22W04', 'payload_not_storable', 'nested more than 100 levels deep'],
    [`'any_json', '[{"__proto__": 1}]'`, '22W04', 'payload_not_storable', 'a key "__proto__", which would be lost'],
    [`'keyed', '{"n": 1}'`, '22W05', 'invalid_idempotency_key', 'its contract makes in its own code'],
    [`'plain', '{"n": 1}', ''`, '22W05', 'invalid_idempotency_key', 'The idempotency key of a plain is empty.'],
    [
      `'plain', '{"n": 1}', priority => 10`,
      '22W06',
      'invalid_option',
      'priority is a whole number from 0 (first) to 9',
    ],
    [
      `'plain', '{"n": 1}', max_attempts => 0`,
      '22W06',
      'invalid_option',
      'max_attempts is a whole number from 1 to 1000',
    ],
    [
      `'plain', '{"n": 1}', delay => '-1 s'`,
      '22W06',
      'invalid_option',
      'delay is from 0 to 1000 years, not -00:00:01.',
    ],
    [`'plain', '{"n": 1}', delay => '300000 years'`, '22W06', 'invalid_option', 'delay is from 0 to 1000 years'],
    [
      `'plain', '{"n": 1}', run_at => 'infinity'`,
      '22W06',
      'invalid_option',
      'run_at is between the years 1970 and 9999',
    ],
    [`'plain', '{"n": 1}', run_at => '1969-12-31Z'`, '22W06', 'invalid_option', 'run_at is between'],
    [
      `'plain', '{"n": 1}', run_at => now(), delay => '1 s'`,
      '22W06',
      'invalid_option',
      'delay is given without run_at',
    ],
    [`'plain', '{"n": 1}', meta => '["a"]'`, '22W06', 'invalid_option', 'meta is a JSON object of texts'],
    [`'plain', '{"n": 1}', meta => '{"a": 1}'`, '22W06', 'invalid_option', 'meta is a JSON object of texts'],
    [
      `'plain', '{"n": 1}', meta => jsonb_build_object('a', repeat('x', 2048))`,
      '22W06',
      'invalid_option',
      'of at most 2048 bytes',
    ],
    [`'tuned', '{"n": 1}', version => 3`, '22W07', 'unknown_job_version', 'version 3 of tuned; 1 to 2 are known'],
    [`'plain', '{"n": 1}', version => 0`, '22W07', 'unknown_job_version', 'version 0 of plain; 1 to 1 are known'],
  ])('%s: %s', async (args, code, detail, message) => {
    expect(await refusal(args)).toMatchObject({ code, detail, message: expect.stringContaining(message) });
    expect(await database.db.jobRun.count()).toBe(0);
  });

  test('what enqueue refuses, and takes what it takes: sizes are counted alike, blanks and noughts included', async () => {
    // `{"a, b":1},` takes 11 bytes here, and 13 in the text of a jsonb; the blanks of a string count in both
    const list = (bytes: number): string => {
      const last = ' : , "\\'.repeat(2_000);
      const items = Math.floor((bytes - JSON.stringify([last]).length) / 11);
      const rest = bytes - JSON.stringify([last]).length - items * 11;
      return JSON.stringify([...Array.from({ length: items }, () => ({ 'a, b': 1 })), 'x'.repeat(rest) + last]);
    };
    for (const [json, isTaken] of [
      [list(65_536), true],
      [list(65_537), false],
      [JSON.stringify(Array(210).fill(1e300)), true],
      [JSON.stringify(Array(220).fill(1e300)), false],
      [deep(100), true],
    ] as const) {
      const typed = enqueue(database.db, any, JSON.parse(json) as never);
      const inSql = call(`'any_json', '${json}'`);
      const taken = await Promise.allSettled([typed, inSql]);
      const status = isTaken ? 'fulfilled' : 'rejected';
      expect(taken).toMatchObject([{ status }, { status }]);
    }
  });

  test('with the codes that enqueue has', async () => {
    const { detail } = (await refusal(`'plain', '{"n": 1}', priority => 10`)) as pg.DatabaseError;
    await expect(enqueue(database.db, plain, { n: 1 }, { priority: 10 })).rejects.toMatchObject({ code: detail });
  });

  test('without a key also where the program that made the type known did not say whether it has one', async () => {
    await session.query(`
      INSERT INTO duework.job_definitions (type, version, queue, priority, max_attempts, timeout_ms, lease_ms, retry, payload_schema)
      VALUES ('earlier', 2, 'default', 5, 1, 1000, 1000, '{}', '{}')`);
    expect(await refusal(`'earlier', '{}'`)).toMatchObject({ detail: 'invalid_idempotency_key' });
    expect(await refusal(`'earlier', '{}', 'k', version => 1`)).toMatchObject({ detail: 'unknown_job_version' });
    expect(await call(`'earlier', '{}', 'k'`)).toMatchObject({ is_deduplicated: false });
    await session.query(`DELETE FROM duework.job_definitions WHERE type = 'earlier'`);
  });
});

describe('a role that may only call duework.enqueue', () => {
  async function withRole(act: (client: pg.Client) => Promise<void>): Promise<void> {
    const role = `trigger_${randomBytes(6).toString('hex')}`;
    await session.query(`
      CREATE ROLE ${role} LOGIN PASSWORD 'secret';
      GRANT USAGE ON SCHEMA duework TO ${role};
      GRANT EXECUTE ON FUNCTION duework.enqueue TO ${role}`);
    const url = new URL(database.url);
    Object.assign(url, { username: role, password: 'secret' });
    const client = new pg.Client({ connectionString: url.toString() });
    await client.connect();
    try {
      await act(client);
    } finally {
      await client.end();
      await session.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  }

  test('enqueues and finds duplicates', () =>
    withRole(async (client) => {
      const { id } = await call(`'keyed', '{"n": 1}', 'keyed:1'`, client);
      expect(await call(`'keyed', '{"n": 1}', 'keyed:1'`, client)).toEqual({ id, is_deduplicated: true });
    }));

  test.each([
    'SELECT payload FROM duework.job_runs',
    'SELECT payload FROM duework.jobs',
    'SELECT key FROM duework.job_keys',
    'SELECT * FROM duework.job_definitions',
    `UPDATE duework.job_definitions SET queue = 'mine'`,
    'DELETE FROM duework.job_runs',
    `SELECT duework.enqueue_1('plain', 1, 'q', 1::smallint, 1, '{}', NULL, 0, NULL, NULL, NULL, NULL)`,
    `SELECT duework.check_payload('plain', '{}', NULL)`,
    `SELECT duework.begin_batch('[]')`,
  ])('cannot do what it was not given: %s', (statement) =>
    withRole(async (client) => {
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    }),
  );

  test('cannot give the function words of its own, whatever its settings', () =>
    withRole(async (client) => {
      await session.query(`CREATE SCHEMA trap; GRANT ALL ON SCHEMA trap TO ${client.user}`);
      await client.query(`
        CREATE FUNCTION trap.now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT '1970-01-01Z'::timestamptz $$;
        CREATE FUNCTION trap.to_json(text) RETURNS json LANGUAGE sql AS $$ SELECT NULL::json $$;
        CREATE TEMP TABLE job_definitions (type text);
        SET search_path = trap, pg_catalog;
        SET standard_conforming_strings = off;
        SET escape_string_warning = off;
        SET duework.told_default = 'nonsense'`);
      const { id } = await call(`'plain', '{"n": 1}', delay => '0'`, client);
      expect(await rowsOf(id)).toMatchObject({ run: { run_at: 0 } });
      await expect(
        call(`'any_json', to_jsonb(repeat(' "', 30000) || repeat('x', 9000))`, client),
      ).rejects.toMatchObject({
        detail: 'payload_too_large',
      });
      await session.query('DROP SCHEMA trap CASCADE');
    }));
});

describe('a worker', () => {
  test('parses what SQL has enqueued by its contract, lifts it, and buries what does not fit', async () => {
    const received: unknown[] = [];
    const note = ({ payload: given }: { payload: unknown }): void => void received.push(given);
    const { worker } = await startTestWorker<typeof catalog>(database.connectPg(), {
      catalog,
      handlers: { plain: note, tuned: note, keyed: note, any_json: note },
      concurrency: 1,
    });
    const good = await call(`'plain', '{"n": 1, "unknown": true}'`);
    const lifted = await call(`'tuned', '{"n": 2}', version => 1`);
    const bad = await call(`'plain', '{"n": "one"}'`);
    for (const { id } of [good, lifted]) expect(await untilJob(database.db, id)).toMatchObject({ status: 'succeeded' });
    expect(await untilJob(database.db, bad.id)).toMatchObject({ status: 'dead', errorCode: 'invalid_payload' });
    expect(received).toEqual(expect.arrayContaining([{ n: 1 }, { n: 2, to: 'nobody' }]));
    expect(received).toHaveLength(2);
    await worker.stop({ deadlineMs: 0 });
  });

  test('finds no way to check a payload where pg_jsonschema is not there, and needs none', async () => {
    const { rows } = await session.query(`SELECT 1 FROM pg_available_extensions WHERE name = 'pg_jsonschema'`);
    expect(rows).toEqual([]);
    expect(await call(`'plain', '{"n": "one"}'`)).toMatchObject({ is_deduplicated: false });
  });
});

test('what docs/how-to/sql.md shows can be run', async () => {
  const page = readFileSync(new URL('../../../../../docs/how-to/sql.md', import.meta.url), 'utf8');
  const shown = [...page.matchAll(/```sql\n(.*?)```/gs)].map(([, statement]) => statement!);
  expect(shown.length).toBeGreaterThan(4);
  const receipt = defineJob({ type: 'send_receipt', payload: z.object({ orderId: z.int() }), idempotencyKey: String });
  await registerDefinitions(database.db, defineCatalog([receipt]));
  await session.query('BEGIN; CREATE ROLE shop_app; DROP TABLE IF EXISTS public.orders');
  for (const statement of shown) await session.query(statement);
  const { rows } = await session.query<{ count: string }>('SELECT count(*) FROM duework.job_runs');
  expect(rows).toEqual([{ count: '3' }]);
  expect(await session.query('SELECT FROM duework.job_batches')).toMatchObject({ rowCount: 1 });
  await session.query(`ROLLBACK; DELETE FROM duework.job_definitions WHERE type = 'send_receipt'`);
});

test('the functions that programs call stay beside it', async () => {
  const rows = await database.db.$queryRaw<{ name: string }[]>(
    Prisma.sql`SELECT proname::text AS name FROM pg_proc WHERE pronamespace = 'duework'::regnamespace AND proname LIKE 'enqueue%' ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(['enqueue', 'enqueue_1', 'enqueue_many_1', 'enqueue_unique_1']);
  const older = connectPg({ url: database.url, poolSize: 1 });
  expect(await enqueue(older, plain, { n: 1 })).toMatchObject({ isDeduplicated: false });
  await older.$disconnect();
});

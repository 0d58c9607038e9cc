import { emptyTables } from '@duework/testing/fixtures';
import { randomBytes } from 'node:crypto';
import { defineCatalog, defineEvent, defineJob, defineSignal, defineSubscriber } from '@duework/contracts';
import {
  cancelJob,
  createKeyRing,
  createPostgresStore,
  enqueue,
  enqueueBatch,
  getBatch,
  getJob,
  jobRequest,
  publish,
  registerDefinitions,
  setKeyRing,
  signal,
  unsealPayload,
} from '@duework/queue-core';
import { claimRuns, sealSignal, showSignal } from '@duework/queue-core/internals';
import { saveSchedule } from '@duework/schedules';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { getBulkAction } from '../bulk/get-bulk-action.js';
import { startBulkAction } from '../bulk/start-bulk-action.js';
import { stepBulkActions } from '../bulk/step-bulk-actions.js';
import { tablesWith } from '../testing/tables-with.js';
import { useOperated } from '../testing/use-operated.js';
import { reencryptPayloads } from './reencrypt-payloads.js';
import { STORE_NAMES, type StoreName } from './sql/stores.js';

const { db, database } = useOperated();
const pay = defineJob({
  type: 'pay',
  payload: z.object({ n: z.int(), iban: z.string() }),
  sensitive: ['/iban'],
});
// what forwardJob of @duework/shards is
const forward = defineJob({
  type: 'duework_forward',
  payload: z.object({ to: z.string(), run: z.object({ type: z.string(), version: z.int(), payloadJson: z.string() }) }),
  sensitive: ['/run/payloadJson'],
});
const paid = defineSignal({
  name: 'paid',
  by: ['n'],
  payload: z.object({ n: z.int(), iban: z.string() }),
  sensitive: ['/iban'],
});
const payment = defineEvent({
  name: 'payment',
  keep: '1d',
  payload: z.object({ n: z.int(), iban: z.string() }),
  sensitive: ['/iban'],
});
const paying = defineSubscriber({ type: 'paying', on: payment });
const catalog = defineCatalog([pay]);
const key = (): string => randomBytes(32).toString('base64');
const [k1, k2] = [key(), key()];
const old = createKeyRing({ current: 'k1', keys: { k1 } });
const both = createKeyRing({ current: 'k2', keys: { k1, k2 } });
const only2 = createKeyRing({ current: 'k2', keys: { k2 } });
const payload = { n: 1, iban: 'DE89370400440532013000' };
const later = { delay: '1h' } as const;

/** The column of each store, and what can hold no encrypted value, and why. */
const COLUMNS: Readonly<Record<StoreName, string>> = {
  runs: 'job_runs.payload',
  dead: 'job_history.payload',
  cancelled: 'job_history.payload',
  schedules: 'schedules.payload',
  callbacks: 'job_batches.callbacks',
  events: 'published_events.payload',
  signals: 'job_signals.payload',
  steps: 'job_steps.result',
  edits: 'bulk_actions.options',
  undos: 'bulk_undos.was',
};
const OTHERS: Readonly<Record<string, string>> = {
  'audit_entries.after': 'values of payloads are left out',
  'audit_entries.before': 'values of payloads are left out',
  'bulk_actions.refused': 'counts',
  'bulk_undos.as_left': 'a hash',
  'flow_rules.changed': 'numbers',
  'flow_rules.declared': 'numbers',
  'job_alerts.facts': 'counts and names',
  'job_batches.enqueued': 'ids',
  'job_batches.planned': 'names of callbacks',
  'job_contracts.payload_schema': 'a schema',
  'job_definitions.default_payload': 'of the code, in plain text',
  'job_definitions.flow': 'paths',
  'job_definitions.payload_schema': 'a schema',
  'job_definitions.retry': 'numbers',
  'job_definitions.subscription': 'numbers and paths',
  'job_definitions.terms': 'durations and names',
  'job_definitions.unique_rule': 'paths',
  'job_effects.result': 'results are never encrypted',
  'job_history.meta': 'texts beside the payload',
  'job_history.result': 'results are never encrypted',
  'job_history.terms': 'moments and names',
  'job_runs.meta': 'texts beside the payload',
  'job_history.progress': 'never encrypted',
  'job_runs.progress': 'never encrypted',
  'job_runs.terms': 'moments and names',
  'job_steps.error': 'cleaned',
  'kept_answers.headers': 'of answers, which have no payload',
  'past_workers.contracts': 'names and versions',
  'published_events.jobs': 'ids',
  'published_events.meta': 'texts beside the payload',
  'worker_contracts.contracts': 'names and versions',
  'worker_contracts.keeps': 'names and days',
};

async function storedOf(id: string): Promise<unknown> {
  return unsealPayload(pay, 1, (await getJob(db(), id)).job.payload);
}
async function dead(): Promise<string> {
  const { id } = await enqueue(db(), pay, payload);
  const request = { queue: 'default', contracts: new Map([['pay', pay]]), worker: 'w', limit: 1 };
  const { fence } = (await claimRuns(db(), request)).runs[0]!;
  const error = { code: 'no', type: 'Error', message: 'no', stack: null };
  await createPostgresStore({ db: db() }).settle([{ id, fence, kind: 'bury', error, abort: null }]);
  return id;
}
/** The payload of a job as it is stored, taken from the table. */
async function sealed(): Promise<string> {
  const { id } = await enqueue(db(), pay, payload, later);
  const json = JSON.stringify((await getJob(db(), id)).job.payload);
  await db().$executeRaw`DELETE FROM duework.job_runs WHERE id = ${id}::text::bigint`;
  return json;
}

const start = (path: string[], value: unknown) =>
  startBulkAction(db(), catalog, { verb: 'edit_payload', filter: 'type:pay', path, value: value as never });

/** Puts an encrypted value into the store, and returns what reads it. */
const FILL: Readonly<Record<StoreName, () => Promise<() => Promise<unknown>>>> = {
  async runs() {
    const { id } = await enqueue(db(), pay, payload, later);
    return () => storedOf(id);
  },
  async dead() {
    const id = await dead();
    return () => storedOf(id);
  },
  async cancelled() {
    const { id } = await enqueue(db(), pay, payload, later);
    await cancelJob(db(), id);
    return () => storedOf(id);
  },
  async schedules() {
    await saveSchedule(db(), pay, { key: 'later', at: new Date(Date.now() + 86_400_000), payload });
    return async () => unsealPayload(pay, 1, (await db().schedule.findFirstOrThrow()).payload);
  },
  async callbacks() {
    const { id } = await enqueueBatch(db(), {
      jobs: [jobRequest(pay, payload, later)],
      onSettled: jobRequest(pay, { ...payload, n: 2 }),
    });
    await db().$executeRaw`DELETE FROM duework.job_runs WHERE payload ->> 'n' = '1'`;
    return async () => {
      expect((await getBatch(db(), id)).callbacks.onSettled).toBeNull();
      const [row] = await db().$queryRaw<{ payload: object }[]>`
        SELECT callbacks -> 'onSettled' -> 'payload' AS payload FROM duework.job_batches WHERE id = ${id}`;
      return { ...(unsealPayload(pay, 1, row!.payload) as object), n: 1 };
    };
  },
  async events() {
    const { jobs } = await publish(db(), payment, payload);
    const [row] = await db().publishedEvent.findMany();
    expect(row!.jobs).toEqual({ paying: jobs[0]!.id });
    return async () => {
      // the job of its subscriber has it, too
      const ofJob = unsealPayload(paying, 1, (await getJob(db(), jobs[0]!.id)).job.payload);
      expect(ofJob).toEqual(payload);
      return unsealPayload(paying, 1, (await db().publishedEvent.findFirstOrThrow()).payload);
    };
  },
  async signals() {
    await signal(db(), paid, payload);
    return async () => showSignal('paid', (await db().jobSignal.findFirstOrThrow()).payload);
  },
  async steps() {
    const result = JSON.stringify(sealSignal(paid, payload));
    await db()
      .$executeRaw`INSERT INTO duework.job_steps (run_id, name, asked_seq, done_seq, fence, awaits, awaited, result)
      VALUES (1, 'a wait', 1, 1, 1, 'signal', 'paid 1', ${result}::text::jsonb)`;
    return async () => showSignal('paid', (await db().jobStep.findFirstOrThrow()).result);
  },
  async edits() {
    const { id } = await enqueue(db(), pay, { ...payload, iban: '' }, later);
    await start(['iban'], payload.iban);
    return async () => {
      await stepBulkActions(db(), catalog, new AbortController().signal);
      return storedOf(id);
    };
  },
  async undos() {
    const { id } = await enqueue(db(), pay, payload, later);
    const action = await start(['iban'], 'GB29NWBK60161331926819');
    await stepBulkActions(db(), catalog, new AbortController().signal);
    expect(await getBulkAction(db(), action.id)).toMatchObject({ status: 'finished', done: 1 });
    return async () => {
      const [row] = await db().$queryRaw<{ payload: object }[]>`
        SELECT was -> 'payload' AS payload FROM duework.bulk_undos WHERE run_id = ${id}::text::bigint`;
      return unsealPayload(pay, 1, row!.payload);
    };
  },
};

beforeEach(async () => {
  setKeyRing(old);
  await registerDefinitions(db(), [paying]);
});
afterEach(async () => {
  setKeyRing(null);
  await emptyTables(db(), 'job_runs, job_history, schedules, job_batches, job_signals, job_steps, published_events');
});

test.each(STORE_NAMES)(
  'what is encrypted in %s is encrypted anew, and nothing is left under the old key',
  async (name) => {
    const read = await FILL[name]();
    expect((await tablesWith(db(), '"k1:')).length).toBeGreaterThan(0);
    expect((await reencryptPayloads(db(), only2)).missing).toEqual({ k1: expect.any(Number) });
    setKeyRing(both);
    expect(await reencryptPayloads(db(), both)).toMatchObject({ passed: 0, missing: {} });
    expect(await tablesWith(db(), '"k1:')).toEqual([]);
    expect(await reencryptPayloads(db(), only2)).toMatchObject({ rewritten: 0, passed: 0, missing: {} });
    setKeyRing(only2);
    expect(await read()).toEqual(payload);
  },
);

describe('what a forward carries is encrypted anew', () => {
  const carried = (payloadJson: string) => ({ to: 'b', run: { type: 'pay', version: 1, payloadJson } });

  test('where it is in plain text, as forwards are made of jobs that wait', async () => {
    const inner = await sealed();
    setKeyRing(null);
    const { id } = await enqueue(db(), forward, carried(inner), later);
    await reencryptPayloads(db(), both);
    expect(await tablesWith(db(), 'k1:')).toEqual([]);
    const { run } = (await getJob(db(), id)).job.payload as ReturnType<typeof carried>;
    expect(unsealPayload(pay, 1, JSON.parse(run.payloadJson), only2)).toEqual(payload);
  });

  test.each([
    ['the old key', old],
    ['the current one', both],
  ])('where it is encrypted itself, with %s', async (_, outer) => {
    const inner = await sealed();
    setKeyRing(outer);
    const { id } = await enqueue(db(), forward, carried(inner), later);
    await reencryptPayloads(db(), both);
    expect(await tablesWith(db(), '"k1:')).toEqual([]);
    const { run } = unsealPayload(forward, 1, (await getJob(db(), id)).job.payload, only2) as ReturnType<
      typeof carried
    >;
    expect(unsealPayload(pay, 1, JSON.parse(run.payloadJson), only2)).toEqual(payload);
    expect(await reencryptPayloads(db(), both)).toMatchObject({ rewritten: 0, missing: {} });
  });
});

test('a payload with a number that JavaScript cannot hold is encrypted anew as it is', async () => {
  const { id } = await enqueue(db(), pay, payload, later);
  await db().$executeRaw`UPDATE duework.job_runs SET payload = payload || '{"n": 12345678901234567890.5}'`;
  expect(await reencryptPayloads(db(), both)).toMatchObject({ rewritten: 1, passed: 0 });
  const [row] = await db().$queryRaw<{ n: string }[]>`SELECT payload ->> 'n' AS n FROM duework.job_runs`;
  expect(row!.n).toBe('12345678901234567890.5');
  setKeyRing(only2);
  expect(await storedOf(id)).toMatchObject({ iban: payload.iban });
});

test('each column of the schema that holds JSON is a store, or can hold no encrypted value', async () => {
  const rows = await database.db.$queryRaw<{ name: string }[]>`
    SELECT c.relname || '.' || a.attname AS name FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'duework'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid IN ('json'::regtype, 'jsonb'::regtype)
    ORDER BY 1`;
  const named = new Set([...Object.values(COLUMNS), ...Object.keys(OTHERS)]);
  expect(rows.map(({ name }) => name)).toEqual([...named].sort());
});

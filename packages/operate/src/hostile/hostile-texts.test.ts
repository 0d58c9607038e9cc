import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import {
  addToBatch,
  cancelBatch,
  cancelJob,
  createPostgresStore,
  DueworkError,
  enqueue,
  enqueueBatch,
  findJobs,
  getBatch,
  getJob,
  jobRequest,
  listBatches,
  retryJob,
  signal,
} from '@duework/queue-core';
import { useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import * as operate from '../index.js';

const database = useTestDatabase();
const letter = defineJob({ type: 'letter', payload: z.object({ to: z.string(), n: z.int().default(1) }) });
const lined = defineJob({ type: 'lined', payload: z.object({ to: z.string() }), order: 'to' });
const paid = defineSignal({ name: 'paid', payload: z.object({ orderId: z.string() }), by: ['orderId'] });
const catalog = defineCatalog([letter, lined]);
let id = '';
let batch = '';
beforeAll(async () => {
  await createPostgresStore({ db: database.db }).prepare(catalog);
  ({ id } = await enqueue(database.db, letter, { to: 'ana' }, { delay: '1h' }));
  batch = (await enqueueBatch(database.db, { jobs: [jobRequest(letter, { to: 'ana' }, { delay: '1h' })] })).id;
});

const db = () => database.db;
const one = (to = 'ana') => jobRequest(letter, { to }, { delay: '1h' });
/** Every verb of the library that takes a text from its caller, and gives it to the database. */
const VERBS: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
  'enqueue, payload': (text) => enqueue(db(), letter, { to: text }),
  'enqueue, order': (text) => enqueue(db(), lined, { to: text }),
  'enqueue, key': (text) => enqueue(db(), letter, { to: 'ana' }, { idempotencyKey: text }),
  'enqueue, queue': (text) => enqueue(db(), letter, { to: 'ana' }, { queue: text }),
  'enqueue, meta': (text) => enqueue(db(), letter, { to: 'ana' }, { meta: { a: text } }),
  'enqueue, name of a meta': (text) => enqueue(db(), letter, { to: 'ana' }, { meta: { [text]: 'a' } }),
  'enqueueBatch, name': (text) => enqueueBatch(db(), { name: text, jobs: [one()] }),
  addToBatch: (text) => addToBatch(db(), text, [one()]),
  getBatch: (text) => getBatch(db(), text),
  cancelBatch: (text) => cancelBatch(db(), text),
  'cancelBatch, reason': (text) => cancelBatch(db(), batch, { reason: text }),
  'listBatches, cursor': (text) => listBatches(db(), { cursor: text }),
  'signal, key': (text) => signal(db(), paid, { orderId: text }),
  getJob: (text) => getJob(db(), text),
  'retryJob, step': (text) => retryJob(db(), id, { fromStep: text }),
  'retryJob, by': (text) => retryJob(db(), id, { by: text }),
  'cancelJob, reason': (text) => cancelJob(db(), id, { reason: text }),
  'cancelJob, address': (text) => cancelJob(db(), id, { from: text }),
  'findJobs, type': (text) => findJobs(db(), { type: text }),
  'findJobs, queue': (text) => findJobs(db(), { queue: text }),
  'findJobs, cursor': (text) => findJobs(db(), { cursor: text }),
  'searchJobs, filter': (text) => operate.searchJobs(db(), { filter: `key:${JSON.stringify(text)}` }),
  'searchJobs, cursor': (text) => operate.searchJobs(db(), { cursor: text }),
  'countJobs, filter': (text) =>
    operate.countJobs(db(), `error:${JSON.stringify(text)} payload.to:${JSON.stringify(text)}`),
  'readAudit, by': (text) => operate.readAudit(db(), { by: text }),
  'readAudit, target': (text) => operate.readAudit(db(), { target: text }),
  'readAudit, cursor': (text) => operate.readAudit(db(), { cursor: text }),
  'readSteps, cursor': (text) => operate.readSteps(db(), id, { cursor: text }),
  explainJob: (text) => operate.explainJob(db(), text),
  readEffects: (text) => operate.readEffects(db(), text),
  'readFigures, type': (text) => operate.readFigures(db(), { type: text }),
  'readFailures, types': (text) => operate.readFailures(db(), { types: [text] }),
  'pauseQueue, name': (text) => operate.pauseQueue(db(), text),
  'pauseType, reason': (text) => operate.pauseType(db(), 'letter', { reason: text }),
  'resumeQueue, name': (text) => operate.resumeQueue(db(), text),
  'listFlowKeys, rule': (text) => operate.listFlowKeys(db(), `order/${text}`),
  'listFlowKeys, after': (text) => operate.listFlowKeys(db(), 'order/lined.to', { after: text }),
  'listFlowKeys, value': (text) => operate.listFlowKeys(db(), 'order/lined.to', { value: text }),
  showFlowRule: (text) => operate.showFlowRule(db(), text),
  changeFlowRule: (text) => operate.changeFlowRule(db(), `limit/${text}`, { max: 1 }),
  closeKey: (text) => operate.closeKey(db(), `order/lined.to/${text}`, '1s'),
  openKey: (text) => operate.openKey(db(), `order/lined.to/${text}`),
  'createKey, name': (text) => operate.createKey(db(), { name: text, scopes: ['read'] }),
  'createKey, type': (text) => operate.createKey(db(), { name: 'made', scopes: ['enqueue'], types: [text] }),
  findKey: (text) => operate.findKey(db(), text),
  revokeKey: (text) => operate.revokeKey(db(), text),
  'checkKeys, key': (text) => operate.checkKeys(db())(text),
  getBulkAction: (text) => operate.getBulkAction(db(), text),
  'startBulkAction, filter': (text) =>
    operate.startBulkAction(db(), catalog, { verb: 'cancel', filter: `status:dead key:${JSON.stringify(text)}` }),
  'startBulkAction, queue': (text) =>
    operate.startBulkAction(db(), catalog, { verb: 'change_queue', filter: 'type:letter', queue: text } as never),
  'answerOnce, key': (text) =>
    operate.answerOnce(db(), { principal: 'a', key: text, fingerprint: 'b' } as never, async () => ({
      status: 200,
      headers: {},
      body: '{}',
    })),
  'answerOnce, body': (text) =>
    operate.answerOnce(db(), { principal: 'a', key: `of ${text.length}`, fingerprint: 'b' } as never, async () => ({
      status: 200,
      headers: {},
      body: text,
    })),
};

/** No compression makes it fit an index. */
const LONG = Array.from({ length: 8_000 }, (_, n) => String.fromCharCode(0x4e00 + ((n * 7_919) % 20_000))).join('');

test.each(Object.entries(VERBS))(
  'a text that cannot be stored is refused with a code, or found nowhere: %s',
  async (_, ask) => {
    for (const text of [
      '\0',
      'a\0b',
      '\ud800',
      'a\udc00b',
      LONG,
      LONG.slice(0, 1_000),
      '__proto__',
      '',
      "'; --",
      '%',
      '\\',
    ]) {
      const error: unknown = await ask(text).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error !== null && !DueworkError.is(error))
        throw new Error(`${JSON.stringify(text.slice(0, 20))} is not refused with a code`, { cause: error });
    }
  },
);

test('a text that was accepted is stored as it was, and half of a character is not', async () => {
  const { id: kept } = await enqueue(db(), letter, { to: '😀\u202e\n' }, { idempotencyKey: 'a\nb', meta: { a: '😀' } });
  expect((await getJob(db(), kept)).job).toMatchObject({
    payload: { to: '😀\u202e\n' },
    idempotencyKey: 'a\nb',
    meta: { a: '😀' },
  });
  const replaced = await db().jobRun.count({
    where: { OR: [{ idempotencyKey: { contains: '\ufffd' } }, { queue: { contains: '\ufffd' } }] },
  });
  expect(replaced).toBe(0);
});

test.each(['a\nb', 'a\tb', 'a\u2028b', '\u202egpj.exe', 'a\u2066b'])(
  'a name is one line, and shows what is in it: %j',
  async (name) => {
    const refused = { code: 'invalid_option' };
    await expect(enqueueBatch(db(), { name, jobs: [one()] })).rejects.toMatchObject(refused);
    await expect(operate.pauseQueue(db(), name)).rejects.toMatchObject(refused);
    await expect(operate.pauseType(db(), name)).rejects.toMatchObject(refused);
  },
);

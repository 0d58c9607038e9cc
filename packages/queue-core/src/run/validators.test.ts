import { defineCatalog, defineJob, type JsonSchema } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod-3';
import * as z3v4 from 'zod-3/v4';
import * as z40 from 'zod-4.0';
import * as z41 from 'zod-4.1';
import * as converter from 'zod-to-json-schema';
import type { Worker } from '../worker/create-worker.js';
import { enqueue } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import { complete } from '../settle/outcome.js';

const database = useTestDatabase();
const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** Its types are those of this workspace's own zod, whose copy of version 3 is another one than zod-3. */
const zodToJsonSchema = converter.zodToJsonSchema as (schema: object) => JsonSchema;
const jsonOf = { io: 'input' } as const;

const p3 = z3.object({ to: z3.string(), copies: z3.number().default(1) });
const p34 = z3v4.object({ to: z3v4.string(), copies: z3v4.number().default(1) });
const p40 = z40.object({ to: z40.string(), copies: z40.number().default(1) });
const p41 = z41.object({ to: z41.string(), copies: z41.number().default(1) });
const r3 = z3.object({ sent: z3.string() });

const today = defineJob({
  type: 'zod_today',
  payload: z.object({ to: z.string(), copies: z.number().default(1) }),
  result: z.object({ sent: z.string() }),
});
const before42 = defineJob({ type: 'zod_4_1', payload: p41, payloadJsonSchema: z41.toJSONSchema(p41, jsonOf) });
const first4 = defineJob({ type: 'zod_4_0', payload: p40, payloadJsonSchema: z40.toJSONSchema(p40, jsonOf) });
const entry4 = defineJob({ type: 'zod_3_v4', payload: p34, payloadJsonSchema: z3v4.toJSONSchema(p34, jsonOf) });
const three = defineJob({
  type: 'zod_3',
  payload: p3,
  payloadJsonSchema: zodToJsonSchema(p3),
  result: r3,
  resultJsonSchema: zodToJsonSchema(r3),
});
const valibot = defineJob({
  type: 'valibot',
  payload: toStandardJsonSchema(v.object({ to: v.string(), copies: v.optional(v.number(), 1) })),
  result: toStandardJsonSchema(v.object({ sent: v.string() })),
});
const arktype = defineJob({
  type: 'arktype',
  payload: type({ to: 'string', copies: 'number = 1' }),
  result: type({ sent: 'string' }),
});
const contracts = [today, before42, first4, entry4, three, valibot, arktype] as const;
const catalog = defineCatalog(contracts);

async function start() {
  const send = ({ payload }: { payload: { to: string; copies: number } }) =>
    complete({ sent: payload.to.repeat(payload.copies) });
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: {
      zod_today: send,
      zod_4_1: send,
      zod_4_0: send,
      zod_3_v4: send,
      zod_3: send,
      valibot: send,
      arktype: send,
    },
  });
  workers.push(worker);
  return events;
}

test.each(contracts.map((contract) => [contract.type, contract] as const))(
  'a payload of %s is enqueued, run and completed; a wrong one is refused with a pointer, and nothing is written',
  async (_, contract) => {
    const { id } = await enqueue(database.db, contract, { to: 'ada', copies: 2 });
    const { id: short } = await enqueue(database.db, contract, { to: 'ada' });
    expect((await getJob(database.db, short)).job.payload).toEqual({ to: 'ada', copies: 1 });
    await expect(enqueue(database.db, contract, { to: 'ada', copies: 'secret' } as never)).rejects.toMatchObject({
      code: 'invalid_payload',
      message: expect.not.stringContaining('secret'),
      facts: { issues: [{ pointer: '/copies' }] },
    });
    expect(await database.db.$queryRaw`SELECT id FROM duework.job_runs WHERE job_type = ${contract.type}`).toHaveLength(
      2,
    );
    const events = await start();
    await Promise.race([events.waitFor('job.succeeded', 2), events.waitFor('job.dead')]);
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', result: { sent: 'adaada' } });
  },
);

test('a run of zod 3 is lifted to valibot’s version, and one that no longer fits is dead with a pointer and no value', async () => {
  const old = defineJob({ type: 'mixed', payload: p3, payloadJsonSchema: zodToJsonSchema(p3) });
  const mixed = defineJob({
    type: 'mixed',
    version: 2,
    payload: toStandardJsonSchema(v.object({ recipients: v.pipe(v.array(v.string()), v.maxLength(2)) })),
    past: {
      1: {
        payload: p3,
        payloadJsonSchema: old.payloadJsonSchema,
        lift: ({ to, copies }) => ({ recipients: Array<string>(copies).fill(to) }),
      },
    },
  });
  const got: unknown[] = [];
  await enqueue(database.db, old, { to: 'ada', copies: 2 });
  const { id } = await enqueue(database.db, old, { to: 'secret', copies: 3 });
  const { worker, events } = await startTestWorker(database.db, {
    catalog: defineCatalog([mixed]),
    handlers: { mixed: ({ payload }) => void got.push(payload) },
  });
  workers.push(worker);
  await Promise.all([events.waitFor('job.succeeded'), events.waitFor('job.dead')]);
  expect(got).toEqual([{ recipients: ['ada', 'ada'] }]);
  const { job } = await getJob(database.db, id);
  expect(job).toMatchObject({ status: 'dead', lastError: 'version 1, lifted from 1 to 2: /recipients expected <=2' });
});

test('a run whose schema answers with a promise is retried, because its contract is wrong and not its payload', async () => {
  const { id } = await enqueue(database.db, defineJob({ type: 'later', payload: z.object({ to: z.string() }) }), {
    to: 'a',
  });
  const payload = z.object({ to: z.string().refine(() => Promise.resolve(true)) });
  const later = defineJob({ type: 'later', payload });
  await expect(enqueue(database.db, later, { to: 'a' })).rejects.toMatchObject({ code: 'async_schema' });
  const { worker, events } = await startTestWorker(database.db, {
    catalog: defineCatalog([later]),
    handlers: { later: () => {} },
  });
  workers.push(worker);
  await Promise.race([events.waitFor('job.failed'), events.waitFor('job.dead')]);
  const { job, attempts } = await getJob(database.db, id);
  expect(job.status).toBe('failed');
  expect(attempts).toMatchObject([{ errorCode: 'async_schema', errorType: 'ContractError' }]);
});

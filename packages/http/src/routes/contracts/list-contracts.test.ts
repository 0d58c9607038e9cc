import { pushContracts } from '@duework/queue-core';
import { catalog, sendReceipt } from '@duework/shop';
import { startTestWorker } from '@duework/testing';
import { expect, test } from '@jest/globals';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi();

test('the registry tells each type with its versions, their schemas, who runs them and its defaults', async () => {
  expect((await api.get('/v1/contracts')).body).toEqual({ contracts: [] });
  await pushContracts(api.db, catalog);
  const pushed = (await api.get('/v1/contracts')).body.contracts;
  expect(pushed.map(({ type }: { type: string }) => type)).toEqual(catalog.map(({ type }) => type).sort());
  const receipt = async () =>
    (await api.get('/v1/contracts')).body.contracts.find(({ type }: { type: string }) => type === sendReceipt.type);
  expect(await receipt()).toEqual({
    type: 'send_receipt',
    defaults: expect.objectContaining({ version: 1, queue: 'default' }),
    versions: [
      {
        version: 1,
        firstSeenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        payloadSchema: sendReceipt.payloadJsonSchema,
        workers: [],
      },
    ],
  });
  const handlers = Object.fromEntries(catalog.map(({ type }) => [type, () => {}])) as never;
  const { worker } = await startTestWorker(api.db, { catalog, handlers });
  // it says what it reads in a loop of its own
  while ((await receipt()).versions[0].workers.length === 0);
  expect(await receipt()).toMatchObject({
    defaults: {
      version: 1,
      queue: 'default',
      priority: 5,
      maxAttempts: 10,
      timeoutMs: 30_000,
      leaseMs: 5_000,
      payload: null,
    },
    versions: [{ version: 1, workers: [worker.name] }],
  });
  await worker.stop({ deadlineMs: 0 });
});

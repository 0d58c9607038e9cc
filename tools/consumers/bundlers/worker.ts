import { createPostgresStore, createWorker } from 'duework/worker';
import { defineCatalog, defineJob } from 'duework';
import { z } from 'zod';

const sendReceipt = defineJob({ type: 'send_receipt', payload: z.object({ orderId: z.number() }) });
const worker = createWorker({
  name: 'bundled',
  store: createPostgresStore({ db: {} as never }),
  catalog: defineCatalog([sendReceipt]),
  handlers: { send_receipt: () => {} },
  emit: () => {},
  logOf: () => ({}) as never,
});

process.exit(worker.activity().running === 0 ? 0 : 1);

import { defineCatalog, defineJob } from 'duework';
import { runWorker } from 'duework/worker';
import { z } from 'zod';

const sendReceipt = defineJob({ type: 'send_receipt', payload: z.object({ orderId: z.number() }) });

// it needs no database to say that it was given a wrong one
runWorker({
  catalog: defineCatalog([sendReceipt]),
  handlers: { send_receipt: () => {} },
  databaseUrl: 'no url',
  handleSignals: false,
}).then(
  () => process.exit(1),
  (error) => process.exit(error.name === 'OptionsError' ? 0 : 1),
);

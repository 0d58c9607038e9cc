import { defineJob, DueworkError, enqueue } from 'duework';
import { z } from 'zod';

const sendReceipt = defineJob({ type: 'send_receipt', payload: z.object({ orderId: z.number() }) });

enqueue({} as never, sendReceipt, { orderId: 'x' as never }).then(
  () => process.exit(1),
  (error) => process.exit(DueworkError.is(error, 'invalid_payload') ? 0 : 1),
);

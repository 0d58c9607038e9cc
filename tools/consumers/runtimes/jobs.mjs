import { defineCatalog, defineJob } from 'duework';
import { z } from 'zod';

const payload = z.object({ orderId: z.number() });
const isolate = { memoryMb: 64 };

export const sendReceipt = defineJob({ type: 'send_receipt', payload });
/** Computes for longer than its lease. */
export const renderReport = defineJob({ type: 'render_report', payload, lease: '3s', timeout: '1m', maxAttempts: 1 });
export const convertImage = defineJob({ type: 'convert_image', payload, isolate });
/** Takes more memory than it has. */
export const takeMemory = defineJob({ type: 'take_memory', payload, isolate, maxAttempts: 1 });
/** Computes without end. */
export const computeForEver = defineJob({
  type: 'compute_for_ever',
  payload,
  isolate,
  timeout: '500ms',
  maxAttempts: 1,
});
/** They throw outside of their handler's promise while it runs. */
export const throwInTimer = defineJob({ type: 'throw_in_timer', payload, maxAttempts: 1 });
export const throwInPromise = defineJob({ type: 'throw_in_promise', payload, maxAttempts: 1 });
/** Still runs when the worker is stopped. */
export const waitForEver = defineJob({ type: 'wait_for_ever', payload, timeout: '10m' });

export const catalog = defineCatalog([
  sendReceipt,
  renderReport,
  convertImage,
  takeMemory,
  computeForEver,
  throwInTimer,
  throwInPromise,
  waitForEver,
]);

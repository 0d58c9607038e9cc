/**
 * The code that empty screens show, as it is written: modules of their own, which `npm run check -- fences` compiles with the
 * examples of the documentation.
 */
// oxlint-disable import/default -- Vite gives the text of a file as its default
import beginBatch from '../../snippets/begin-batch.ts?raw';
import defineJob from '../../snippets/define-job.ts?raw';
import durable from '../../snippets/durable-job.ts?raw';
import enqueue from '../../snippets/enqueue.ts?raw';
import limitJob from '../../snippets/limit-job.ts?raw';
import saveSchedule from '../../snippets/save-schedule.ts?raw';
import startWorker from '../../snippets/start-worker.ts?raw';

export const snippets = {
  beginBatch: beginBatch.trim(),
  defineJob: defineJob.trim(),
  durable: durable.trim(),
  enqueue: enqueue.trim(),
  limitJob: limitJob.trim(),
  saveSchedule: saveSchedule.trim(),
  startWorker: startWorker.trim(),
};

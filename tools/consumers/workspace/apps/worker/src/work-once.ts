/** Does one job, says which, and stops. */
import { runWorker } from 'duework/worker';
import { catalog, handlers } from './jobs.js';

const stopping = new AbortController();
export const ended = runWorker({
  catalog,
  handlers,
  workerPort: 'none',
  signal: stopping.signal,
  onEvent: ({ name }) => {
    if (name === 'job.succeeded') stopping.abort();
  },
});
await ended;

// does one job, says which, and stops
import { runWorker } from 'duework/worker';
import jobs from './jobs.cjs';

const stopping = new AbortController();
await runWorker({
  ...jobs,
  workerPort: 'none',
  signal: stopping.signal,
  onEvent: ({ name }) => {
    if (name === 'job.succeeded') stopping.abort();
  },
});

// the same as CommonJS
const { runWorker } = require('duework/worker');
const jobs = require('./jobs.cjs');

const stopping = new AbortController();
runWorker({
  ...jobs,
  workerPort: 'none',
  signal: stopping.signal,
  onEvent: ({ name }) => {
    if (name === 'job.succeeded') stopping.abort();
  },
});

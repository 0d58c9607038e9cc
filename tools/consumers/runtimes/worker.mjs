import { bury, complete } from 'duework';
import { isolated, runWorker } from 'duework/worker';
import { catalog } from './jobs.mjs';

const COMPUTES_MS = 4_500;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const untilAborted = (signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
const module = (name) => isolated(new URL(`./${name}.mjs`, import.meta.url));
let started;
const port = new Promise((resolve) => (started = resolve));

await runWorker({
  catalog,
  handlers: {
    async send_receipt({ payload }) {
      const { ok } = await fetch(`http://127.0.0.1:${await port}/readyz`);
      return ok ? complete({ orderId: payload.orderId }) : bury('The worker is not ready.');
    },
    async render_report({ payload }) {
      await wait(500);
      const until = performance.now() + COMPUTES_MS;
      while (performance.now() < until);
      return complete({ orderId: payload.orderId });
    },
    convert_image: module('convert-image'),
    take_memory: module('take-memory'),
    compute_for_ever: module('compute-for-ever'),
    throw_in_timer({ signal }) {
      setTimeout(() => {
        throw new Error('thrown in a timer');
      });
      return untilAborted(signal);
    },
    throw_in_promise({ signal }) {
      void wait(1).then(() => {
        throw new Error('thrown in a promise');
      });
      return untilAborted(signal);
    },
    wait_for_ever: ({ signal }) => untilAborted(signal),
  },
  workerPort: 0,
  onStarted: ({ port }) => started(port),
});

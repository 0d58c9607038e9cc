/** A producer process: enqueues through one system's own door, in one of several ways, and says what that took. */
import { setTimeout as pause } from 'node:timers/promises';
import { makePayload } from '../measures/enqueue-backlog.mjs';
import { loadAdapter } from '../systems/find-system.mjs';
import { serveParent } from './serve-parent.mjs';

const BATCH = 1_000;
/** Of a flow, which is sent while its jobs are drained. */
const FLOW_BATCH = 500;

const nowMs = () => Number(process.hrtime.bigint()) / 1e6;
const makeBatch = (firstId, count) => Array.from({ length: count }, (_, index) => makePayload(firstId + index));

let producer;
/** Of a flow: whether it goes on, and how many of its jobs were handled. */
const flow = { isOn: false, handled: 0, changed: () => {} };

serveParent({
  async open({ system, url }) {
    producer = await (await loadAdapter(system)).openProducer(url);
    // connections and statements are made by the first calls
    await Promise.all(Array.from({ length: 20 }, (_, id) => producer.enqueue(makePayload(id))));
  },

  /** `callers` at once, each of which waits for its job before it sends the next one. */
  async call({ callers, ms }) {
    const beginMs = nowMs();
    let jobs = 0;
    const call = async () => {
      while (nowMs() - beginMs < ms) {
        await producer.enqueue(makePayload((jobs += 1)));
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
    return { jobsPerSecond: (jobs * 1_000) / (nowMs() - beginMs) };
  },

  /** In batches, so many of them at once. */
  async bulk({ jobs, atOnce }) {
    const beginMs = nowMs();
    let next = 0;
    const send = async () => {
      while (next < jobs) {
        const first = next;
        next = Math.min(next + BATCH, jobs);
        await producer.enqueueMany(makeBatch(first, next - first));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, send));
    return { jobsPerSecond: (jobs * 1_000) / (nowMs() - beginMs) };
  },

  /** At a steady rate, whether earlier calls have returned or not; notes when each one did. */
  async pace({ perSecond, jobs }) {
    const returnedMs = new Float64Array(jobs);
    const calls = [];
    const beginMs = nowMs();
    while (calls.length < jobs) {
      const due = Math.min(jobs, 1 + Math.floor(((nowMs() - beginMs) * perSecond) / 1_000));
      while (calls.length < due) {
        const id = calls.length;
        calls.push(
          producer.enqueue(makePayload(id)).then(() => {
            returnedMs[id] = nowMs();
          }),
        );
      }
      await pause(1);
    }
    await Promise.all(calls);
    return { returnedMs };
  },

  /** Keeps about `ahead` jobs waiting, until it is told to stop. */
  async flow({ ahead }) {
    flow.isOn = true;
    let sent = 0;
    while (flow.isOn) {
      if (sent - flow.handled > ahead - FLOW_BATCH) {
        await new Promise((resolve) => (flow.changed = resolve));
        continue;
      }
      await producer.enqueueMany(makeBatch(sent, FLOW_BATCH));
      sent += FLOW_BATCH;
    }
    return { sent };
  },
  handled({ jobs }) {
    flow.handled = jobs;
    flow.changed();
  },
  endFlow() {
    flow.isOn = false;
    flow.changed();
  },

  close: () => producer.close(),
});

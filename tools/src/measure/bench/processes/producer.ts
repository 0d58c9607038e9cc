/**
 * A producer process: enqueues through one system's own calls, in one of several ways, and reports how long that took.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { serveParent } from '../../../kit/serve-parent.js';
import { makePayload } from '../measures/enqueue-backlog.js';
import { loadAdapter } from '../systems/list-systems.js';
import type { Lane, Payload, Producer, SystemName } from '../systems/system.js';
import type { VerbsOf } from './start-bench-process.js';

const BATCH = 1_000;
/** The settings of a flow, which is sent while its jobs are drained. */
const FLOW_BATCH = 500;
const FIRST_CALLS = 20;

interface Rate {
  readonly jobsPerSecond: number;
}

export interface ProducerVerbs {
  open(facts: { readonly system: SystemName; readonly url: string; readonly lane?: Lane | undefined }): Promise<void>;
  /** `callers` at once, each of which waits for its job before it sends the next one. */
  call(facts: { readonly callers: number; readonly ms: number; readonly isPlain?: boolean }): Promise<Rate>;
  /** In batches, so many of them at once. */
  bulk(facts: { readonly jobs: number; readonly atOnce: number }): Promise<Rate>;
  /** At a steady rate, whether or not earlier calls have returned; records when each one did. */
  pace(facts: { readonly perSecond: number; readonly jobs: number }): Promise<{ readonly returnedMs: Float64Array }>;
  /** Keeps about `ahead` jobs waiting, until `endFlow`; it must be told how many were handled. */
  flow(facts: { readonly ahead: number }): Promise<{ readonly sent: number }>;
  handled(facts: { readonly jobs: number }): void;
  endFlow(facts: object): void;
  close(facts: object): Promise<void>;
}

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
const makeBatch = (firstId: number, count: number): Payload[] =>
  Array.from({ length: count }, (_, index) => makePayload(firstId + index));

let opened: Producer | null = null;
/** The state of a flow: whether it goes on, and how many of its jobs were handled. */
const flow = { isOn: false, handled: 0, changed: (): void => {} };

function theOpened(): Producer {
  if (opened === null) throw new Error('The producer is not open.');
  return opened;
}

const verbs: ProducerVerbs & VerbsOf<ProducerVerbs> = {
  async open({ system, url, lane }) {
    const producer = await (await loadAdapter(system)).openProducer(url, lane);
    opened = producer;
    // the first calls open connections and prepare statements
    await Promise.all(Array.from({ length: FIRST_CALLS }, (_, id) => producer.enqueue(makePayload(id))));
    await producer.enqueuePlainly?.(makePayload(0));
  },

  async call({ callers, ms, isPlain = false }) {
    const producer = theOpened();
    const enqueue = (isPlain ? producer.enqueuePlainly : undefined) ?? producer.enqueue;
    const beginMs = nowMs();
    let jobs = 0;
    const call = async (): Promise<void> => {
      while (nowMs() - beginMs < ms) {
        await enqueue(makePayload((jobs += 1)));
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
    return { jobsPerSecond: (jobs * 1_000) / (nowMs() - beginMs) };
  },

  async bulk({ jobs, atOnce }) {
    const producer = theOpened();
    const beginMs = nowMs();
    let next = 0;
    const send = async (): Promise<void> => {
      while (next < jobs) {
        const first = next;
        next = Math.min(next + BATCH, jobs);
        await producer.enqueueMany(makeBatch(first, next - first));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, send));
    return { jobsPerSecond: (jobs * 1_000) / (nowMs() - beginMs) };
  },

  async pace({ perSecond, jobs }) {
    const producer = theOpened();
    const returnedMs = new Float64Array(jobs);
    const calls: Promise<void>[] = [];
    const beginMs = nowMs();
    const call = async (id: number): Promise<void> => {
      await producer.enqueue(makePayload(id));
      returnedMs[id] = nowMs();
    };
    while (calls.length < jobs) {
      const due = Math.min(jobs, 1 + Math.floor(((nowMs() - beginMs) * perSecond) / 1_000));
      while (calls.length < due) calls.push(call(calls.length));
      await pause(1);
    }
    await Promise.all(calls);
    return { returnedMs };
  },

  async flow({ ahead }) {
    const producer = theOpened();
    flow.isOn = true;
    let sent = 0;
    while (flow.isOn) {
      if (sent - flow.handled > ahead - FLOW_BATCH) {
        await new Promise<void>((resolve) => (flow.changed = resolve));
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

  close: async () => void (await opened?.close()),
};

serveParent({ ...verbs }, { isFailureTold: true });

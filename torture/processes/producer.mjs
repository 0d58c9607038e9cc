/**
 * A producer of the tortured product: enqueues at a steady rate through every door, and writes down each call and each answer. A
 * call whose answer was lost is "unknown": with a key it is made again until it is answered, without one it is left alone.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../scripts/lib/paths.mjs';
import * as jobs from '../jobs.mjs';
import { seededRandom } from '../random.mjs';
import { nowMs, openHistory } from './open-history.mjs';
import { serveLab } from './serve-lab.mjs';

const { connectPrisma } = await import(join(root, 'packages/database/dist/index.js'));
const { enqueue, enqueueMany, jobRequest, openQueue } = await import(join(root, 'packages/queue-core/dist/index.js'));

const RETRY_MS = 250;
const TURN_MS = 10;
/** More calls than these at once would be a backlog of its own. */
const MAX_OPEN = 400;
const MANY = 5;
/** Thrown on purpose inside a transaction. */
const CHANGED_MIND = new Error('the caller changed his mind');

const { url, name, history, seed, perSecond, sampleEvery, firstN } = JSON.parse(process.argv[2]);
const write = openHistory(history);
const random = seededRandom(seed);
const db = connectPrisma({
  url,
  poolSize: 10,
  connectTimeoutMs: 2_000,
  applicationName: `torture-${name}`,
  onConnectionLost: () => {},
});
const queue = openQueue(db);

let n = firstN;
const state = { open: 0, isOn: true };
const counts = { answered: 0, unknown: 0, rolledBack: 0, skipped: 0 };

const payloadOf = (contract, number = ++n) => ({
  n: number,
  ms: contract === jobs.report ? random.between(3_000, 8_000) : random.between(0, 60),
});
const note = (kind, facts) => facts.n % sampleEvery === 0 && write(kind, facts);

/** One call: what it promises goes into the history before and after it. `again`: until it is answered. */
async function call(way, contract, payload, act, { isAgain = false } = {}) {
  const facts = { way, type: contract.type, n: payload.n };
  note('enqueue.called', facts);
  for (;;) {
    try {
      const { id } = await act();
      counts.answered++;
      return note('enqueue.answered', { ...facts, run: id });
    } catch (error) {
      if (error === CHANGED_MIND) {
        counts.rolledBack++;
        return note('enqueue.rolled_back', facts);
      }
      counts.unknown++;
      note('enqueue.unknown', { ...facts, problem: String(error.message).slice(-120) });
      if (!isAgain) return undefined;
      await pause(RETRY_MS);
    }
  }
}

const ways = [
  [
    40,
    () => {
      const contract = random.pick([jobs.mail, jobs.webhook]);
      const payload = payloadOf(contract);
      return call('keyed', contract, payload, () => enqueue(db, contract, payload), { isAgain: true });
    },
  ],
  [
    25,
    () => {
      const payload = payloadOf(jobs.payment);
      const isKept = !random.isIn(0.1);
      return call('transaction', jobs.payment, payload, () =>
        db.$transaction(async (tx) => {
          await tx.$executeRaw`INSERT INTO torture.orders (n) VALUES (${payload.n}::int)`;
          const job = await enqueue(tx, jobs.payment, payload);
          if (!isKept) throw CHANGED_MIND;
          return job;
        }),
      );
    },
  ],
  [
    20,
    () => {
      const contract = random.pick([jobs.plain, jobs.flaky, jobs.patient]);
      const payload = payloadOf(contract);
      return call('shared', contract, payload, () => queue.enqueue(contract, payload));
    },
  ],
  [
    5,
    () => {
      const payloads = Array.from({ length: MANY }, () => payloadOf(jobs.mail));
      const requests = payloads.map((payload) => jobRequest(jobs.mail, payload));
      const sent = enqueueManyAgain(requests);
      return Promise.all(
        payloads.map((payload, index) => call('many', jobs.mail, payload, async () => (await sent)[index])),
      );
    },
  ],
  [
    7,
    () => {
      const payload = payloadOf(jobs.audit);
      return call('shared', jobs.audit, payload, () => queue.enqueue(jobs.audit, payload));
    },
  ],
  [
    3,
    () => {
      const payload = payloadOf(jobs.report);
      return call(
        'report',
        jobs.report,
        payload,
        () => enqueue(db, jobs.report, payload, { idempotencyKey: `report:${payload.n}` }),
        { isAgain: true },
      );
    },
  ],
];
const total = ways.reduce((sum, [weight]) => sum + weight, 0);

async function enqueueManyAgain(requests) {
  for (;;) {
    try {
      return await enqueueMany(db, requests);
    } catch {
      counts.unknown++;
      await pause(RETRY_MS);
    }
  }
}

function callOnce() {
  let place = random.between(0, total - 1);
  const [, act] = ways.find(([weight]) => (place -= weight) < 0);
  state.open += 1;
  void act().finally(() => (state.open -= 1));
}

async function produce() {
  const beginMs = nowMs();
  for (let made = 0; state.isOn; await pause(TURN_MS)) {
    for (const due = ((nowMs() - beginMs) * perSecond) / 1_000; made < due; made++) {
      if (state.open < MAX_OPEN) callOnce();
      else counts.skipped++;
    }
  }
}

serveLab({
  /** No new calls; resolves when every call is answered. */
  async stop() {
    state.isOn = false;
    while (state.open > 0) await pause(TURN_MS);
    await db.$disconnect();
    return { ...counts, n };
  },
});
await produce();

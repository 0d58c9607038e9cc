import { contractsToSimulate, leg, trip, type catalogToSimulate } from './contracts-to-simulate.js';
import { keyedRandom, pick, pickWhole, type Random } from '../world/keyed-random.js';
import { makeWhole, type Whole } from './make-whole.js';
import type { Plan } from './plan.js';

type Contract = (typeof catalogToSimulate)[number];

/** One thing that a handler does. */
export type Step =
  | { readonly kind: 'pause'; readonly ms: number; readonly obeysSignal: boolean }
  | {
      readonly kind: 'effect';
      readonly name: string;
      readonly key: string | null;
      readonly beginLate: boolean;
      readonly fault: 'none' | 'refused' | 'unclear';
    }
  | { readonly kind: 'progress' }
  | { readonly kind: 'complete_in' };

/** How a handler ends. */
export type End = 'complete' | 'retry' | 'throw' | 'snooze' | 'bury';

export interface SimulatedJob {
  readonly number: number;
  readonly contract: Contract;
  /** By what limits and orders tell it from others. */
  readonly of: number;
  /** When it is enqueued, and again under the same key. */
  readonly atMs: readonly number[];
  readonly key: string | null;
  readonly delayMs: number;
  readonly priority: number;
  readonly maxAttempts: number;
  readonly steps: readonly Step[];
  /** How its handler ends the first times; later it completes. */
  readonly ends: readonly End[];
  /** What it is the beginning of; null: it is a job by itself. */
  readonly whole: Whole | null;
}

/** What somebody does from outside: an operator with a job, or a deploy with a worker. */
export type Operation = { readonly number: number; readonly atMs: number } & (
  | { readonly kind: 'cancel' | 'retry'; readonly job: number; readonly effectsHappened: boolean }
  /** `hurriesMs`: `stop` is called a second time after so long; null: only once. */
  | {
      readonly kind: 'stop';
      readonly worker: number;
      readonly deadlineMs: number;
      readonly hurriesMs: number | null;
    }
);

export interface SimulatedWorker {
  readonly number: number;
  readonly concurrency: number;
  readonly buffer: number;
  readonly pollIntervalMs: number;
  readonly receivesMessages: boolean;
  /** How long its settlements gather. */
  readonly settleGapMs: number;
}

export interface Workload {
  readonly jobs: readonly SimulatedJob[];
  readonly operations: readonly Operation[];
  readonly workers: readonly SimulatedWorker[];
}

/** After this moment the workload has no new requests. */
const LAST_MS = 4_000;

/** Everything that a seed asks of the queue, less what its plan leaves out. */
export function makeWorkload({ seed, jobs, operations, workers }: Plan): Workload {
  const random = keyedRandom(seed, 'workload');
  const [jobCount, operationCount, workerCount] = [
    pickWhole(random, 4, 8),
    pickWhole(random, 0, 5),
    pickWhole(random, 2, 3),
  ];
  const gated =
    seed % 3 === 0 ? pick<readonly Contract[]>(keyedRandom(seed, 'gates'), contractsToSimulate.gated) : null;
  const numbers = (count: number, kept: readonly number[] | null): number[] =>
    Array.from({ length: count }, (_, number) => number).filter((number) => kept?.includes(number) ?? true);
  return {
    jobs: numbers(jobCount, jobs).map((number) => {
      const job = makeJob(keyedRandom(seed, `job ${number}`), number);
      if (seed % 3 === 1) return asWhole(keyedRandom(seed, `job ${number}/whole`), job);
      return gated === null ? job : behindGates(keyedRandom(seed, `job ${number}/gates`), job, gated);
    }),
    operations: numbers(operationCount, operations).map((number) =>
      makeOperation(keyedRandom(seed, `operation ${number}`), number, jobCount, workerCount),
    ),
    workers: numbers(workers ?? workerCount, null).map((number) =>
      makeWorker(keyedRandom(seed, `worker ${number}`), number + 1),
    ),
  };
}

function makeJob(random: Random, number: number): SimulatedJob {
  const key = random() < 0.5 ? `key:${number}` : null;
  return {
    number,
    key,
    contract: pick<Contract>(random, contractsToSimulate.free),
    of: 0,
    atMs: Array.from({ length: key === null ? 1 : pickWhole(random, 1, 2) }, () => random() * LAST_MS * 0.6),
    delayMs: random() < 0.7 ? 0 : pickWhole(random, 1, 1_500),
    priority: pickWhole(random, 4, 6),
    maxAttempts: pickWhole(random, 1, 4),
    steps: Array.from({ length: pickWhole(random, 0, 3) }, () => makeStep(random)),
    ends:
      random() < 0.5
        ? []
        : Array.from({ length: pickWhole(random, 1, 3) }, () =>
            pick<End>(random, ['retry', 'throw', 'snooze', 'bury', 'complete']),
          ),
    whole: null,
  };
}

/** In every third world nearly all jobs begin something that belongs together. */
function asWhole(random: Random, job: SimulatedJob): SimulatedJob {
  if (random() < 0.15) return job;
  const whole = makeWhole(random);
  if (whole.kind === 'batch') return { ...job, contract: leg, key: null, atMs: job.atMs.slice(0, 1), whole };
  return { ...job, contract: trip, maxAttempts: job.maxAttempts + 2, whole };
}

/**
 * The same job behind gates, and at a time at which others wait there. What is in order does not complete itself in a
 * transaction: this store takes that back when its handler throws, and the next may have begun by then.
 */
function behindGates(random: Random, job: SimulatedJob, contracts: readonly Contract[]): SimulatedJob {
  const contract = pick(random, contracts);
  return {
    ...job,
    contract,
    of: pick(random, [0, 0, 1]),
    atMs: job.atMs.map((atMs) => atMs / 4),
    steps: job.steps.filter(({ kind }) => kind !== 'complete_in' || contract.type !== 'book'),
  };
}

function makeStep(random: Random): Step {
  const chance = random();
  if (chance < 0.4)
    return { kind: 'pause', ms: random() < 0.8 ? random() * 200 : random() * 2_500, obeysSignal: random() < 0.8 };
  if (chance < 0.85) {
    return {
      kind: 'effect',
      name: pick(random, ['mail', 'call']),
      key: random() < 0.15 ? 'shared' : null,
      beginLate: random() < 0.3,
      fault: pick(random, ['none', 'none', 'none', 'none', 'refused', 'unclear']),
    };
  }
  return { kind: random() < 0.6 ? 'progress' : 'complete_in' };
}

function makeOperation(random: Random, number: number, jobCount: number, workerCount: number): Operation {
  const atMs = LAST_MS * (0.1 + 0.9 * random());
  if (random() < 0.3)
    return {
      number,
      atMs,
      kind: 'stop',
      worker: pickWhole(random, 1, workerCount),
      deadlineMs: pick(random, [0, 100, 1_000]),
      hurriesMs: pick(random, [null, null, 20]),
    };
  return {
    number,
    atMs,
    kind: random() < 0.5 ? 'cancel' : 'retry',
    job: pickWhole(random, 0, jobCount - 1),
    effectsHappened: random() < 0.3,
  };
}

function makeWorker(random: Random, number: number): SimulatedWorker {
  return {
    number,
    concurrency: pickWhole(random, 1, 3),
    buffer: pick(random, [0, 2, 1_000]),
    pollIntervalMs: pick(random, [200, 500]),
    receivesMessages: random() < 0.5,
    settleGapMs: pick(random, [0, 10]),
  };
}

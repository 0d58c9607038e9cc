import type { JobVerb, JobVerbs } from '@duework/queue-core';
import type { JOB_VERBS } from '@duework/queue-core/internals';
import { Option } from 'commander';
import { effectsOptions } from './effects-options.js';

/** What a verb may be told; each takes why. */
export interface VerbOptions {
  readonly reason?: string | undefined;
  readonly effectsHappened?: boolean | undefined;
  readonly fromStep?: string | undefined;
}

export type Done<V extends JobVerb> = Awaited<ReturnType<JobVerbs[V]>>;

/** What an API answers. */
export interface JobAnswer {
  readonly status: string;
  readonly freed: boolean;
}

/** What is to be asked for a verb. */
export interface AskedVerb<V extends JobVerb> {
  readonly verb: V;
  /** Of the command, and the last part of its address in the API. */
  readonly name: (typeof JOB_VERBS)[V];
  /** What was done, as an API says it. */
  readonly read: (answer: JobAnswer) => Done<V>;
}

export interface JobCommand<V extends JobVerb> extends Omit<AskedVerb<V>, 'verb'> {
  readonly description: string;
  /** Beside `--reason`. */
  readonly options?: () => readonly Option[];
  readonly says: (id: string, done: Done<V>, given: VerbOptions) => string;
}

/** The commands that do one thing to one job: `duework retry <id>`. */
export const JOB_COMMANDS: { readonly [V in JobVerb]: JobCommand<V> } = {
  retryJob: {
    name: 'retry',
    description: 'Run a job now: make a waiting one due, or bring a dead or cancelled one back',
    options: () => [
      ...effectsOptions(),
      new Option('--from-step <name>', 'repeat this step of a durable handler, and all that was done after it'),
    ],
    read: () => {},
    says: (id, _, { fromStep }) => `Job ${id} runs again${fromStep === undefined ? '' : `, from ${fromStep}`}.`,
  },
  cancelJob: {
    name: 'cancel',
    description: 'Cancel a waiting job, or ask the worker of a running one to cancel it',
    read: ({ status }) => (status === 'cancelled' ? 'cancelled' : 'requested'),
    says: (id, done) =>
      done === 'cancelled' ? `Job ${id} is cancelled.` : `Job ${id} runs; its worker was asked to cancel it.`,
  },
  acknowledgeJob: {
    name: 'acknowledge',
    description: 'Acknowledge a dead job, which stays dead',
    read: () => {},
    says: (id) => `Job ${id} is acknowledged.`,
  },
  freeKey: {
    name: 'free-key',
    description: 'Free the idempotency key of a dead or cancelled job',
    read: ({ freed }) => freed,
    says: (id, freed) => (freed ? `The key of job ${id} is free.` : `Job ${id} has no key, or another job has it.`),
  },
};

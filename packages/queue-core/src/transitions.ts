import type { JobStatus } from './queue/job.js';

/** Everything that can happen to a run. The worker's verbs are fenced; the last five are an operator's. */
export const VERBS = [
  'claim',
  'complete',
  'fail',
  'bury',
  'snooze',
  'release',
  'leave',
  'confirm_cancel',
  'rescue',
  'retry',
  'cancel',
  'acknowledge',
  'free_key',
  'update',
] as const;
export type Verb = (typeof VERBS)[number];

type Next = JobStatus | readonly JobStatus[];

/**
 * The status that each verb leads to from each status; a verb that is missing is refused and changes nothing. In a list
 * the run's own facts choose: attempts left (`rescue`), or a request to cancel that came while it ran (`fail`,
 * `snooze`, `release`, `leave`, `rescue`), or the contract's limit (`snooze`). `cancel` of a running run asks its worker to
 * abort it, and `confirm_cancel` is that worker's answer.
 */
export const TRANSITIONS: { readonly [S in JobStatus]: { readonly [V in Verb]?: Next } } = {
  queued: { claim: 'running', retry: 'queued', cancel: 'cancelled', update: 'queued' },
  failed: { claim: 'running', retry: 'queued', cancel: 'cancelled', update: 'failed' },
  running: {
    complete: 'succeeded',
    fail: ['failed', 'cancelled'],
    bury: 'dead',
    snooze: ['queued', 'dead', 'cancelled'],
    release: ['queued', 'cancelled'],
    leave: ['queued', 'cancelled'],
    confirm_cancel: 'cancelled',
    rescue: ['failed', 'dead', 'cancelled'],
    cancel: 'running',
  },
  succeeded: {},
  dead: { retry: 'queued', acknowledge: 'dead', free_key: 'dead' },
  cancelled: { retry: 'queued', free_key: 'cancelled' },
};

import type { ClaimedRun } from '../ports/runs.js';

/**
 * The moments at which a process that dies leaves something open: a claim is committed and its worker does not know it
 * yet; an effect is written as begun, or has happened, and is not written as done; a step has ended and is not written,
 * or is written and its handler does not know it; an outcome is decided and not written, or is written and not reported.
 * A test makes a worker die there.
 */
export const CRASH_POINTS = [
  'claim.committed',
  'handler.before',
  'effect.before',
  'effect.after',
  'step.before',
  'step.done',
  'settle.before',
  'settle.committed',
] as const;

/** Those that only a handler that waits comes to: what it waits for is there and its wait is not, or is, and it does not know. */
export const WAIT_CRASH_POINTS = ['wait.before', 'wait.begun'] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number] | (typeof WAIT_CRASH_POINTS)[number];

/** For tests: called at each crash point, and awaited. It must not throw. */
export type CrashHook = (point: CrashPoint, run: ClaimedRun) => void | Promise<void>;

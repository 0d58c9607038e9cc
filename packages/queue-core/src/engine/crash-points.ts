import type { ClaimedRun } from '../ports/runs.js';

/**
 * The moments at which a process that dies leaves something open: a claim is committed and nobody knows of it yet; an
 * effect is written as begun, or has happened, and is not written as done; an outcome is decided and not written, or is
 * written and nobody was told. A test makes a worker die there.
 */
export const CRASH_POINTS = [
  'claim.committed',
  'handler.before',
  'effect.before',
  'effect.after',
  'settle.before',
  'settle.committed',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** Called at each crash point, and awaited. For tests: it must not throw, and nothing calls it where none is given. */
export type CrashHook = (point: CrashPoint, run: ClaimedRun) => void | Promise<void>;

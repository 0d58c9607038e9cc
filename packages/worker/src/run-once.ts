import type { Clock } from '@duework/queue-core';

/** `done`: nothing is due any more; `time_over`: something still is; `stopped`: the worker was told to stop. */
export type OnceResult = 'done' | 'time_over' | 'stopped';

export interface OnceOptions {
  /** Ticks; resolves with the time until the next tick is due, null: none will be. */
  readonly tick: () => Promise<{ readonly nextTickInMs: number | null }>;
  /** Whether runs are due, held by this worker, or to be rescued. */
  readonly hasWork: () => Promise<boolean>;
  readonly maxRuntimeMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const LOOK_EVERY_MS = 50;

/**
 * One wake-up of a started worker: waits until nothing is due, or the time is over. Any number of wake-ups may overlap:
 * each sees what is left, and none waits for what another one runs.
 */
export async function runOnce({ tick, hasWork, maxRuntimeMs, signal, clock }: OnceOptions): Promise<OnceResult> {
  const endMs = clock.monotonicMs() + maxRuntimeMs;
  for (;;) {
    const { nextTickInMs } = await tick();
    // whoever stops the worker closes its connections, so no more statements are sent
    if (signal.aborted) return 'stopped';
    // asked after the tick, because what the tick has fired is due
    const isDone = !(await hasWork()) && (nextTickInMs === null || nextTickInMs > 0);
    if (isDone) return 'done';
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0) return 'time_over';
    await new Promise<void>((resolve) => clock.after(Math.min(LOOK_EVERY_MS, leftMs), resolve));
    if (signal.aborted) return 'stopped';
  }
}

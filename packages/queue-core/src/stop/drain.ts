import { waitAtMost } from '../clock.js';
import type { Engine } from '../worker/engine.js';
import type { HeldRun } from '../claim/held-run.js';
import { finishRun, type FinishNeeds, giveBack } from '../settle/finish-run.js';
import { AbortReason } from '../settle/attempt-end.js';
import { attemptsHere } from '../run/attempt.js';
import { decideUncaught, factsOf } from '../settle/decide-settlement.js';

/** How long the settlements of a stopping worker may take to be written; then their leases run out. */
const SETTLE_MS = 5_000;

type Needs = FinishNeeds & Pick<Engine, 'clock' | 'graceMs' | 'hurrying'>;

/**
 * Empties a worker that has stopped claiming. Buffered runs are released at once. A running attempt may end until the
 * deadline where its contract says `finish`, and is aborted at once otherwise; if its handler has not ended a grace
 * after the abort, its run is released all the same. No attempt is charged. Returns how many runs were buffered or
 * aborted.
 *
 * When `hurrying` aborts, the drain waits for no attempt any more: it releases whatever is left.
 */
export async function drain(engine: Needs, deadlineMs: number): Promise<number> {
  const { held, clock, graceMs, hurrying } = engine;
  const buffered = held.takeBuffered();
  for (const heldRun of buffered) giveBack(engine, heldRun);
  const empty = emptied(engine);
  const emptyOrHurried = Promise.race([empty, aborted(hurrying.signal)]);
  const reason = new AbortReason('shutting_down', `The worker stopped before this attempt had ended.`);
  const stoppedAtOnce = running(engine).filter((heldRun) => heldRun.contract.onShutdown !== 'finish');
  for (const heldRun of stoppedAtOnce) heldRun.abort.abort(reason);
  await waitAtMost(clock, deadlineMs, emptyOrHurried);
  const stoppedLate = running(engine).filter((heldRun) => !stoppedAtOnce.includes(heldRun));
  for (const heldRun of stoppedLate) heldRun.abort.abort(reason);
  // each attempt ends within its grace, whether its handler has ended or not
  await waitAtMost(clock, graceMs + SETTLE_MS, emptyOrHurried);
  for (const heldRun of running(engine)) release(engine, heldRun, reason.message);
  await waitAtMost(clock, SETTLE_MS, empty);
  return buffered.length + stoppedAtOnce.length + stoppedLate.length;
}

function running({ held }: Pick<Engine, 'held'>): HeldRun[] {
  return held.all().filter((heldRun) => heldRun.phase !== 'settling');
}

function release(engine: Needs, heldRun: HeldRun, reason: string): void {
  const abort = { code: 'shutting_down', stage: 'lease_revoked' } as const;
  finishRun(engine, heldRun, { id: heldRun.run.id, fence: heldRun.run.fence, kind: 'release', reason, abort }, 0);
}

async function emptied({ held }: Pick<Engine, 'held'>): Promise<void> {
  while (held.size > 0) await held.changed();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}

/**
 * Charges an error that was thrown outside of any handler's promise, and will end the process: a timer, an emitter, a
 * promise that nobody awaits. Call it where the error arrives, because its async context says which attempt it came from.
 * That attempt has failed, and its run is dead after `maxAttempts` of them; its neighbours are released uncharged. Where no
 * attempt is known, all that are released are suspects: a run that has been one `maxAttempts` times is dead.
 */
export function chargeFault(engine: FinishNeeds & Pick<Engine, 'clock' | 'random' | 'fault'>, error: unknown): void {
  const here = attemptsHere();
  // it may be one of another engine of this process
  if (here.length === 0) engine.fault.isOfAnyRun = true;
  const runs = new Set(here.map(({ run }) => run));
  for (const held of engine.held.all()) {
    if (!runs.has(held.run) || held.phase !== 'running') continue;
    finishRun(engine, held, decideUncaught(factsOf(engine, held), error), engine.clock.monotonicMs() - held.startedMs);
  }
}

import { waitAtMost } from '../clock.js';
import type { Engine } from '../worker/engine.js';
import type { OwnedRun } from '../claim/owned-run.js';
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
  const { owned, clock, graceMs, hurrying } = engine;
  const buffered = owned.takeBuffered();
  for (const ownedRun of buffered) giveBack(engine, ownedRun);
  const empty = emptied(engine);
  const emptyOrHurried = Promise.race([empty, aborted(hurrying.signal)]);
  const reason = new AbortReason('shutting_down', `The worker stopped before this attempt had ended.`);
  const stoppedAtOnce = running(engine).filter((ownedRun) => ownedRun.contract.onShutdown !== 'finish');
  for (const ownedRun of stoppedAtOnce) ownedRun.abort.abort(reason);
  await waitAtMost(clock, deadlineMs, emptyOrHurried);
  const stoppedLate = running(engine).filter((ownedRun) => !stoppedAtOnce.includes(ownedRun));
  for (const ownedRun of stoppedLate) ownedRun.abort.abort(reason);
  // each attempt ends within its grace, whether its handler has ended or not
  await waitAtMost(clock, graceMs + SETTLE_MS, emptyOrHurried);
  for (const ownedRun of running(engine)) release(engine, ownedRun, reason.message);
  await waitAtMost(clock, SETTLE_MS, empty);
  return buffered.length + stoppedAtOnce.length + stoppedLate.length;
}

function running({ owned }: Pick<Engine, 'owned'>): OwnedRun[] {
  return owned.all().filter((ownedRun) => ownedRun.phase !== 'settling');
}

function release(engine: Needs, ownedRun: OwnedRun, reason: string): void {
  const abort = { code: 'shutting_down', stage: 'lease_revoked' } as const;
  finishRun(engine, ownedRun, { id: ownedRun.run.id, fence: ownedRun.run.fence, kind: 'release', reason, abort }, 0);
}

async function emptied({ owned }: Pick<Engine, 'owned'>): Promise<void> {
  while (owned.size > 0) await owned.changed();
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
export function chargeFault(
  engine: FinishNeeds & Pick<Engine, 'clock' | 'random' | 'backoffOf' | 'logOf' | 'fault'>,
  error: unknown,
): void {
  const here = attemptsHere();
  // it may be one of another engine of this process
  if (here.length === 0) engine.fault.isOfAnyRun = true;
  const runs = new Set(here.map(({ run }) => run));
  for (const owned of engine.owned.all()) {
    if (!runs.has(owned.run) || owned.phase !== 'running') continue;
    finishRun(
      engine,
      owned,
      decideUncaught(factsOf(engine, owned), error),
      engine.clock.monotonicMs() - owned.startedMs,
    );
  }
}

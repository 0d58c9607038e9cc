import { pause, soon } from '../clock.js';
import type { ClaimedRun } from '../store/store.js';
import type { Engine } from './engine.js';
import { releaseStale } from './release-stale.js';
import { holdLease, loseLease, startRuns } from './start-runs.js';
import { StopSignal } from './stop-signal.js';

const MAX_CLAIM = 500;
/** How soon is looked again after there was nothing; twice as late every time. */
const FIRST_IDLE_MS = 2;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/**
 * Claims while there is room, sleeps while there is nothing due. The queues take turns in going first, so that a busy one
 * cannot starve the others. When `signal` aborts, a claim on its way is still awaited: what it took is held, and released.
 *
 * A sleep ends when the next run becomes due, when somebody says that there is something, or after an interval that grows while
 * there is nothing, up to `pollIntervalMs`.
 */
export async function pollUntil(signal: AbortSignal, engine: Engine): Promise<void> {
  const { held, clock, report, alarm, pollIntervalMs } = engine;
  let retryMs = FIRST_RETRY_MS;
  let idleMs = FIRST_IDLE_MS;
  let isWoken = false;
  const cut = (): void => {
    held.wake();
    alarm.ring();
  };
  signal.addEventListener('abort', cut, { once: true });
  for (let turn = 0; !signal.aborted; turn++) {
    const room = Math.min(held.room(), MAX_CLAIM);
    if (room === 0) {
      await held.changed();
      continue;
    }
    await engine.gate.open(signal);
    if (signal.aborted) break;
    // from before the claim: what becomes due behind its back cuts the sleep after it
    const mark = alarm.mark();
    try {
      const { claimed, dueInMs } = await claimUpTo(room, turn, signal, engine);
      report.succeeded('claim');
      retryMs = FIRST_RETRY_MS;
      if (claimed === room && held.room() > 0) startSoon(signal, engine);
      else if (!signal.aborted) startNow(engine);
      // where one run follows the other, the next one is already there
      const isBusy = claimed === room || (claimed > 0 && idleMs === FIRST_IDLE_MS);
      if (claimed > 0 || isWoken) idleMs = FIRST_IDLE_MS;
      if (isBusy) continue;
      isWoken = await alarm.wait(mark, Math.min(idleMs, dueInMs), clock);
      if (!isWoken) idleMs = Math.min(idleMs * 2, pollIntervalMs);
    } catch (error) {
      report.failed('claim', error);
      // what another queue gave before is held, and would wait for a room that only its own end makes
      if (!signal.aborted) startNow(engine);
      await pause(clock, retryMs * (0.5 + engine.random()), signal);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  }
}

/** There is more: the next claim goes out first, so that the database works on it while the handlers run. */
function startSoon(signal: AbortSignal, engine: Engine): void {
  soon(engine.clock, () => {
    if (!signal.aborted) startNow(engine);
  });
}

function startNow(engine: Engine): void {
  startRuns(engine);
  releaseStale(engine);
}

async function claimUpTo(room: number, turn: number, signal: AbortSignal, engine: Engine): Promise<{ claimed: number; dueInMs: number }> {
  const { queues, store, clock, leaseMsByType } = engine;
  let claimed = 0;
  let dueInMs = Infinity;
  for (let i = 0; i < queues.length && claimed < room && !signal.aborted; i++) {
    const queue = queues[(turn + i) % queues.length]!;
    const grantedMs = clock.monotonicMs();
    const claim = await store.claim({ queue, leaseMsByType, worker: engine.name, limit: room - claimed });
    if (engine.reachPoint !== null) for (const run of claim.runs) await engine.reachPoint('claim.committed', run);
    for (const run of claim.runs) hold(run, grantedMs, engine);
    claimed += claim.runs.length;
    dueInMs = Math.min(dueInMs, Math.ceil(claim.dueInMs ?? Infinity));
  }
  return { claimed, dueInMs };
}

function hold(run: ClaimedRun, grantedMs: number, engine: Engine): void {
  const contract = engine.contractOf.get(run.type)!;
  // this very worker had it: it was stopped for longer than its lease, and its keeper knows one lease of a run
  const earlier = engine.held.latest(run.id);
  if (earlier !== undefined) loseLease(engine, earlier);
  const held = { run, contract, stop: new StopSignal(), claimedMs: grantedMs, grantedMs, isSettling: false, isCompletedIn: false, isGivenUp: false };
  engine.held.add(held);
  holdLease(engine, held, Infinity);
  engine.emit({ name: 'job.claimed', run, worker: engine.name });
}

import { pause, type Clock } from '../clock.js';
import type { ClaimedRun } from '../store/store.js';
import type { Engine } from './engine.js';
import { holdLease, startRuns } from './start-runs.js';

const MAX_CLAIM = 500;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/**
 * Claims while there is room, sleeps while there is nothing due. The queues take turns in going first, so that a busy one
 * cannot starve the others. When `signal` aborts, a claim on its way is still awaited: what it took is held, and released.
 */
export async function pollUntil(signal: AbortSignal, engine: Engine): Promise<void> {
  const { held, clock, report, pollIntervalMs } = engine;
  let retryMs = FIRST_RETRY_MS;
  signal.addEventListener('abort', () => held.wake(), { once: true });
  for (let turn = 0; !signal.aborted; turn++) {
    const room = Math.min(held.room(), MAX_CLAIM);
    if (room === 0) {
      await held.changed();
      continue;
    }
    await engine.gate.open(signal);
    if (signal.aborted) break;
    // from before the claim: what becomes due behind its back cuts the sleep after it
    const waking = new AbortController();
    engine.alarm.ring = () => waking.abort();
    try {
      const claimed = await claimUpTo(room, turn, engine);
      report.succeeded('claim');
      retryMs = FIRST_RETRY_MS;
      if (!signal.aborted) startRuns(engine);
      if (claimed < room) await sleep(pollIntervalMs, signal, waking, clock);
    } catch (error) {
      report.failed('claim', error);
      await pause(clock, retryMs * (0.5 + engine.random()), signal);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  }
}

/** Until something may be due: the interval is over, or somebody wakes the worker. */
async function sleep(ms: number, signal: AbortSignal, waking: AbortController, clock: Clock): Promise<void> {
  if (signal.aborted) return;
  const cut = (): void => waking.abort();
  signal.addEventListener('abort', cut, { once: true });
  await pause(clock, ms, waking.signal);
  signal.removeEventListener('abort', cut);
}

async function claimUpTo(room: number, turn: number, engine: Engine): Promise<number> {
  const { queues, store, clock, contractOf } = engine;
  const leaseMsByType = new Map([...contractOf].map(([type, contract]) => [type, contract.leaseMs]));
  let claimed = 0;
  for (let i = 0; i < queues.length && claimed < room; i++) {
    const queue = queues[(turn + i) % queues.length]!;
    const grantedMs = clock.monotonicMs();
    const runs = await store.claim({ queue, leaseMsByType, worker: engine.name, limit: room - claimed });
    if (engine.reachPoint !== null) for (const run of runs) await engine.reachPoint('claim.committed', run);
    for (const run of runs) hold(run, grantedMs, engine);
    claimed += runs.length;
  }
  return claimed;
}

function hold(run: ClaimedRun, grantedMs: number, engine: Engine): void {
  const contract = engine.contractOf.get(run.type)!;
  const held = { run, contract, controller: new AbortController(), grantedMs, isSettling: false, isCompletedIn: false };
  engine.held.add(held);
  holdLease(engine, held, Infinity);
  engine.emit({ name: 'job.claimed', run, worker: engine.name });
}

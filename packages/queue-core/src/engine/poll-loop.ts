import { pause, soon } from '../clock.js';
import type { ClaimedRun } from '../store/store.js';
import type { Engine } from './engine.js';
import { HeldRun } from './held-run.js';
import { releaseStale } from './release-stale.js';
import { holdLease, loseLease, startRuns } from './start-runs.js';

const MAX_CLAIM = 500;
/** Rounds of claims on their way at once; the second one only where there was more than the last one could take. */
const MAX_ROUNDS = 2;
/** How soon is looked again after there was nothing; twice as late every time. */
const FIRST_IDLE_MS = 2;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/**
 * Claims while there is room, sleeps while there is nothing due. The queues take turns in going first, so that a busy one
 * cannot starve the others. When `signal` aborts, claims on their way are still awaited: what they took is held, and released.
 *
 * One claim takes what one connection of the database can give. Under a backlog a second one is on its way meanwhile: what the
 * first has locked, it passes by. After one that failed less is asked for: it may have been more than an answer can hold.
 *
 * A sleep ends when the next run becomes due, when somebody says that there is something, or after an interval that grows while
 * there is nothing, up to `pollIntervalMs`.
 */
export async function pollUntil(signal: AbortSignal, engine: Engine): Promise<void> {
  const { held, clock, report, alarm, pollIntervalMs } = engine;
  let retryMs = FIRST_RETRY_MS;
  let idleMs = FIRST_IDLE_MS;
  let isWoken = false;
  let isCrowded = false;
  let most = MAX_CLAIM;
  const rounds: Round[] = [];
  const cut = (): void => {
    held.wake();
    alarm.ring();
  };
  signal.addEventListener('abort', cut, { once: true });
  for (let turn = 0; !signal.aborted || rounds.length > 0;) {
    if (!signal.aborted && rounds.length < (isCrowded ? MAX_ROUNDS : 1)) {
      const room = Math.min(held.room(roomOf(rounds)), most);
      if (rounds.length === 0 && room === 0) {
        await held.changed();
        continue;
      }
      if (rounds.length === 0 || room === MAX_CLAIM) {
        await engine.gate.open(signal);
        if (!signal.aborted) rounds.push(sendRound(room, turn++, signal, engine));
        continue;
      }
    }
    const round = rounds[0]!;
    try {
      const { claimed, dueInMs } = await round.answer;
      rounds.shift();
      report.succeeded('claim');
      retryMs = FIRST_RETRY_MS;
      most = Math.min(Math.ceil(most * 1.1), MAX_CLAIM);
      const isFull = claimed === round.room;
      isCrowded = claimed === MAX_CLAIM;
      if (isFull && held.room(roomOf(rounds)) > 0) startSoon(signal, engine);
      else if (!signal.aborted) startNow(engine);
      // where one run follows the other, the next one is already there
      const isBusy = isFull || (claimed > 0 && idleMs === FIRST_IDLE_MS);
      if (claimed > 0 || isWoken) idleMs = FIRST_IDLE_MS;
      if (isBusy || rounds.length > 0) continue;
      isWoken = await alarm.wait(round.mark, Math.min(idleMs, dueInMs), clock);
      if (!isWoken) idleMs = Math.min(idleMs * 2, pollIntervalMs);
    } catch (error) {
      rounds.shift();
      isCrowded = false;
      most = Math.ceil(round.room / 2);
      report.failed('claim', error);
      // what another queue gave before is held, and would wait for a room that only its own end makes
      if (!signal.aborted) startNow(engine);
      await pause(clock, retryMs * (0.5 + engine.random()), signal);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  }
}

/** A claim from each queue, on its way. */
interface Round {
  readonly room: number;
  /** From before it was sent: what becomes due behind its back cuts the sleep after it. */
  readonly mark: number;
  readonly answer: Promise<Claimed>;
}

interface Claimed {
  readonly claimed: number;
  readonly dueInMs: number;
}

function sendRound(room: number, turn: number, signal: AbortSignal, engine: Engine): Round {
  const mark = engine.alarm.mark();
  const answer = claimUpTo(room, turn, signal, engine);
  // it is heard when its turn comes
  answer.catch(() => {});
  return { room, mark, answer };
}

/** For how many runs they have asked. */
function roomOf(rounds: readonly Round[]): number {
  return rounds.reduce((sum, { room }) => sum + room, 0);
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

async function claimUpTo(room: number, turn: number, signal: AbortSignal, engine: Engine): Promise<Claimed> {
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
  const held = new HeldRun(run, contract, grantedMs);
  engine.held.add(held);
  holdLease(engine, held, Infinity);
  engine.emit({ name: 'job.claimed', run, worker: engine.name });
}

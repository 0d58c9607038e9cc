import { attemptsHere } from '../run/attempt-context.js';
import type { Engine } from '../worker/engine.js';
import { decideUncaught, factsOf } from './decide-settlement.js';
import { finishRun, type FinishNeeds } from './finish-run.js';

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

import { startNow } from '../run/start-runs.js';
import { giveBack } from '../settle/finish-run.js';
import type { Engine } from '../worker/engine.js';
import { holdClaimed } from './hold-claimed.js';
import type { Taking } from './next-in-line.js';

/** Holds what a settlement has taken and starts it; a worker whose work `isOver` gives it back. */
export function beginTaken(engine: Engine, { runs, sentMs }: Taking, isOver: boolean): void {
  const all = runs.map((run) => holdClaimed(engine, run, sentMs));
  if (!isOver) startNow(engine);
  else for (const held of all) giveBack(engine, held);
}

import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../kit/seeded-random.js';
import type { Fault, NoteFault } from './faults/fault.js';
import { CAREFUL_MS } from './limits.js';
import type { EventFacts } from './observer/history-events.js';
import type { OpenedLab } from './open-lab.js';
import type { Turn } from './plan-faults.js';
import { nowMs } from './processes/open-history.js';
import type { Options } from './read-options.js';

/** The pause between two faults, so that the effect of each is seen by itself. */
const GAP_MS = 2_500;

export interface TakeTurnsOptions {
  readonly plan: readonly Turn[];
  readonly lab: OpenedLab;
  readonly options: Options;
  readonly begunMs: number;
  readonly say: (line: string) => void;
}

/**
 * Does the planned faults, turn by turn, until the time is over. A fault that needs calm waits until no worker waits
 * longer than usual, which costs nothing where the plan has other quiet faults in between.
 */
export async function takeTurns({ plan, lab, options, begunMs, say }: TakeTurnsOptions): Promise<void> {
  let loudMs = -Infinity;
  const deckSize = new Set(plan.map(({ faults: [first] }) => first)).size;
  const isOver = (turns: number): boolean =>
    nowMs() - begunMs > options.maxMs && !(options.isWhole && turns < deckSize);
  for (const [index, turn] of plan.entries()) {
    const calmInMs = turn.faults.some(({ needsCalm }) => needsCalm) ? loudMs + CAREFUL_MS - nowMs() : 0;
    await pause(Math.max(0, calmInMs));
    if (isOver(index)) return;
    const titles = turn.faults.map(({ title }) => title).join(' + ');
    say(`+${((nowMs() - begunMs) / 1_000).toFixed(1)} s  ${titles}`);
    await Promise.all(turn.faults.map((fault, place) => injectFault(fault, turn, place, lab)));
    if (turn.faults.some(({ isLoud }) => isLoud)) loudMs = nowMs();
    await pause(Math.max(GAP_MS, (index + 1) * options.everyMs - (nowMs() - begunMs)));
  }
}

async function injectFault(fault: Fault, turn: Turn, place: number, lab: OpenedLab): Promise<void> {
  const about = {
    fault: fault.name,
    id: `${fault.name}-${Math.round(nowMs())}-${place}`,
    isAlone: turn.faults.length === 1,
  };
  const note: NoteFault = (kind, facts) => lab.write(kind, { ...about, ...facts } as EventFacts[typeof kind]);
  try {
    await fault.inject({ ...lab, random: seededRandom(turn.seeds[place] ?? 0), note });
  } catch (error) {
    note('fault.failed', { problem: error instanceof Error ? error.message : String(error) });
  }
  note('fault.ended', {});
}

import type { Evidence } from '../../observer/evidence.js';
import { ofKind } from '../../observer/history-events.js';
import { type Gate, readGates, type Span } from './read-gates.js';
import { countUnits, listMoments } from './list-moments.js';

/**
 * While these last, nobody can write, or everybody's connections and rows are taken away at random; and for as long
 * after them as connections take to come back.
 */
const STANDSTILLS: readonly string[] = [
  'restart-database',
  'change-primary',
  'fill-disk',
  'lock-tables',
  'end-backends',
  'provoke-deadlocks',
];
const RECONNECTED_MS = 3_000;
const MS = 0.001;

/** Room at a key beside a run that waited there and was due. */
export interface Idle {
  readonly key: string;
  readonly from: number;
  readonly ms: number;
}

/** Every stretch of time in which one that waited had room, without what falls into a standstill. */
export function listIdle(evidence: Evidence): Idle[] {
  const still = readStandstills(evidence);
  const endMs = ofKind(evidence.events, 'drain.ended').at(-1)?.at ?? Infinity;
  const idle: Idle[] = [];
  for (const gate of readGates(evidence))
    for (const { from, to: end } of findIdle(gate)) {
      // afterwards the workers are stopped
      const to = Math.min(end, Math.max(from, endMs));
      const outside =
        to - from - still.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(to, b) - Math.max(from, a)), 0);
      if (outside > MS) idle.push({ key: gate.key, from, ms: outside });
    }
  return idle;
}

/** The stretches of a key's time in which one that waits had room. */
function* findIdle({ kind, rule, holds, waits, letIn }: Gate): Generator<{ from: number; to: number }> {
  const max = kind === 'limit' ? rule.max : kind === 'order' || kind === 'rate' ? 1 : null;
  if (max === null) return;
  let begun: number | null = null;
  for (const { from, holders, waiting } of listMoments(kind === 'rate' ? shutSpans(rule, letIn) : holds, waits)) {
    const used = countUnits(holders, max);
    // whoever is first, it has room
    const needed = Math.max(...[...waiting].map(({ units }) => Math.min(units, max)));
    const isIdle = waiting.size > 0 && used + needed <= max;
    if (isIdle) begun ??= from;
    else if (begun !== null) {
      yield { from: begun, to: from };
      begun = null;
    }
  }
  if (begun !== null) yield { from: begun, to: Infinity };
}

/** When a rate had no unit left, as spans that hold it. */
function shutSpans({ unitMs, burst }: Gate['rule'], letIn: Gate['letIn']): Span[] {
  let usedUp = -Infinity;
  return letIn
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, run, units }) => {
      usedUp = Math.max(usedUp, at) + units * (unitMs ?? 0);
      return { run, units: 1, from: at, to: usedUp + (1 - (burst ?? 1)) * (unitMs ?? 0) };
    })
    .filter(({ from, to }) => to > from);
}

function readStandstills({ events }: Evidence): (readonly [number, number])[] {
  const ends = ofKind(events, 'fault.ended');
  return ofKind(events, 'fault.begun')
    .filter(({ fault }) => STANDSTILLS.includes(fault))
    .map(({ id, at }) => [at, (ends.find((end) => end.id === id)?.at ?? Infinity) + RECONNECTED_MS] as const);
}

import type { Check } from '../check.js';
import { IDLE_MS } from '../../limits.js';
import type { Evidence } from '../../observer/evidence.js';
import { ofKind } from '../../observer/history-events.js';
import { type Gate, readGates, type Span } from './read-gates.js';
import { countUnits, sweep } from './sweep.js';

/** While these last, nobody can write; and for as long after them as connections take to come back. */
const STANDSTILLS: readonly string[] = ['restart-database', 'fill-disk', 'lock-tables'];
const RECONNECTED_MS = 3_000;
const MS = 0.001;

interface Idle {
  readonly key: string;
  readonly from: number;
  readonly ms: number;
}

/** How long room lay idle at a key beside a run that waited there and was due. */
export const noIdleSlots: Check = {
  promise: 'a slot that gets free beside a run that waits is used within 50 ms (p99), and none lies idle for ever',
  isFigure: true,
  needs: 'any run',
  check(evidence) {
    const idle = listIdle(evidence);
    const sorted = idle.toSorted((a, b) => a.ms - b.ms);
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.ms ?? 0;
    const broken = sorted
      .filter(({ ms }) => ms === Infinity)
      .map(({ key, from }) => `${key} lay idle from ${from.toFixed(0)} to the end`);
    if (at(0.99) > IDLE_MS) broken.push(`p99 was ${at(0.99).toFixed(1)} ms`);
    const longest = sorted.at(-1);
    const remark =
      longest === undefined
        ? ''
        : `p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, longest ${longest.ms.toFixed(0)} ms (${longest.key})`;
    return { counted: sorted.length, broken, remark };
  },
};

/** Every stretch of time in which one that waited had room, without what falls into a standstill. */
export function listIdle(evidence: Evidence): Idle[] {
  const still = readStandstills(evidence);
  const idle: Idle[] = [];
  for (const gate of readGates(evidence))
    for (const { from, to } of findIdle(gate)) {
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
  for (const { from, holders, waiting } of sweep(kind === 'rate' ? shutSpans(rule, letIn) : holds, waits)) {
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

import type { Verdict } from '../torture/report/print-verdicts.js';
import type { Seed, Standing } from './old/old-place.js';
import type { WitnessedRun } from './witness.js';

/** When a database was killed, and when it was back. */
export interface Kill {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface MoveEvidence {
  readonly jobs: readonly Seed[];
  readonly runs: ReadonlyMap<number, readonly WitnessedRun[]>;
  /** As all stood in the old system before. */
  readonly before: readonly Standing[];
  readonly here: readonly Standing[];
  readonly there: readonly Standing[];
  /** The side on which everything is that waits now. */
  readonly side: 'here' | 'there';
  readonly kills: readonly Kill[];
}

/** What has ended so long before a kill is settled by then. */
const SETTLED_MS = 2_000;
/** Systems round to milliseconds. */
const ROUNDED_MS = 5;

/** Judges what has become of every job after a move. Nothing runs any more. */
export function judgeMove({ jobs, runs, before, here, there, side, kills }: MoveEvidence): readonly Verdict[] {
  const lost: string[] = [];
  const twice: string[] = [];
  const moved: string[] = [];
  const moments: string[] = [];
  const unstarted: string[] = [];
  const placed = { here: byNumber(here), there: byNumber(there) };
  const was = byNumber(before);
  let hurt = 0;
  for (const { n, state } of jobs) {
    const ran = runs.get(n) ?? [];
    const places = [...(placed.here.get(n) ?? []), ...(placed.there.get(n) ?? [])];
    const tell = `${n} (${state}): ${JSON.stringify({ ran, here: placed.here.get(n), there: placed.there.get(n) })}`;
    if (ran.length === 0 && places.length === 0) lost.push(tell);
    if (ran.length + places.length > 1) {
      if (places.length < 2 && ran.length > 0 && wasRunning(ran[0]!, kills)) hurt++;
      else twice.push(tell);
    }
    if (state === 'due') continue;
    if (ran.length > 0) unstarted.push(tell);
    const [one] = placed[side].get(n) ?? [];
    const is = state === 'failed' ? 'failed' : 'waiting';
    if (one?.is !== is) moved.push(tell);
    else if (Math.abs(one.atMs - was.get(n)![0]!.atMs) > ROUNDED_MS)
      moments.push(`${tell}, and before ${was.get(n)![0]!.atMs}`);
  }
  const strange = [...here, ...there].filter(({ n }) => n === null).map((one) => JSON.stringify(one));
  const count = jobs.length;
  const still = jobs.filter(({ state }) => state !== 'due').length;
  return [
    { promise: 'no job is lost', judged: count, broken: lost },
    {
      promise: `no job is there twice, or has run twice (${hurt} ran when a database died)`,
      judged: count,
      broken: twice,
    },
    { promise: `what is not due is ${side}, as it was`, judged: still, broken: moved },
    { promise: 'with its moment', judged: still, broken: moments },
    { promise: 'and has not run', judged: still, broken: unstarted },
    { promise: 'nothing else is there', judged: here.length + there.length, broken: strange },
  ];
}

/** Whether it was in the hands of a worker when a database died, so that nobody could write that it has ended. */
const wasRunning = ({ fromMs, toMs }: WitnessedRun, kills: readonly Kill[]): boolean =>
  kills.some((kill) => fromMs <= kill.toMs && (toMs ?? Infinity) >= kill.fromMs - SETTLED_MS);

function byNumber(all: readonly Standing[]): ReadonlyMap<number, readonly Standing[]> {
  const map = new Map<number, Standing[]>();
  for (const one of all) if (one.n !== null) map.set(one.n, [...(map.get(one.n) ?? []), one]);
  return map;
}

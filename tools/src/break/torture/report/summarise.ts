import type { Gauge, Load } from '../observer/evidence.js';
import { type ClientKind, type FaultDetails, ofKind } from '../observer/history-events.js';
import type { TortureRun } from '../run-torture.js';
import type { Judgement, JudgementState } from './judge.js';

const BINS = 120;

/** A fault as it was done; from and to in seconds since the first one. */
interface DoneFault extends FaultDetails {
  readonly fault: string;
  readonly fromS: number;
  readonly toS: number;
}
/** What happened in one stretch of time; waits in ms, null where none ended. */
interface Bin {
  readonly s: number;
  readonly endedPerSecond: number;
  readonly p50: number | null;
  readonly p99: number | null;
}

/** What is left of a run: its figures, and what happened over time. */
export interface Summary {
  readonly seed: number;
  readonly workers: number;
  readonly clients: readonly ClientKind[];
  readonly perSecond: number;
  readonly minutes: number;
  readonly promises: readonly {
    readonly promise: string;
    readonly state: JudgementState;
    readonly counted: number;
    readonly broken: number;
    readonly remark: string;
  }[];
  readonly missing: readonly { readonly fault: string; readonly why: string }[];
  readonly drainedMs: number;
  readonly load: Load | null;
  readonly faults: readonly DoneFault[];
  readonly timeline: readonly Bin[];
  readonly gauges: readonly (Omit<Gauge, 'at' | 'workers'> & { readonly s: number; readonly rssMb: number })[];
}

/** The figures of a run, and what happened over time in bins, in seconds since the first fault. */
export function summarise(run: TortureRun, judgements: readonly Judgement[]): Summary {
  const { options, events, tookMs, begunMs, gauges, drained, missing, load } = run;
  const { seed, workers, perSecond, clients } = options;
  const ends = ofKind(events, 'fault.ended');
  const faults = ofKind(events, 'fault.begun').map(
    ({ fault, at, id, kind: _kind, by: _by, isAlone: _isAlone, ...facts }) => ({
      fault,
      fromS: secondsAt(at),
      toS: secondsAt(ends.find((event) => event.id === id)?.at ?? at),
      ...facts,
    }),
  );
  function secondsAt(at: number): number {
    return Math.round((at - begunMs) / 100) / 10;
  }
  return {
    seed,
    workers,
    clients,
    perSecond,
    minutes: Math.round(tookMs / 6_000) / 10,
    promises: judgements.map(({ promise, state, counted, broken, remark = '' }) => ({
      promise,
      state,
      counted,
      broken: broken.length,
      remark,
    })),
    missing: missing.map(({ fault, why }) => ({ fault: fault.title, why })),
    drainedMs: Math.round(drained.tookMs),
    load,
    faults,
    timeline: bin(run),
    gauges: gauges
      .filter(({ at }) => at >= begunMs && at <= begunMs + tookMs)
      .map(({ at, workers, ...sizes }) => ({
        s: secondsAt(at),
        ...sizes,
        rssMb: Math.max(0, ...workers.map(({ rssMb }) => rssMb ?? 0)),
      })),
  };
}

/** Per bin: how many ended a second, and how long runs waited from being due at once to their first claim (p50, p99, ms). */
function bin({ changes, begunMs, tookMs, options: { sampleEvery } }: TortureRun): Bin[] {
  const widthMs = Math.max(1_000, tookMs / BINS);
  const bins = Array.from({ length: Math.ceil(tookMs / widthMs) }, (_, index) => ({
    s: Math.round((index * widthMs) / 100) / 10,
    ended: 0,
    waits: [] as number[],
  }));
  const binAt = (ms: number): { ended: number; waits: number[] } | undefined =>
    bins[Math.floor((ms - begunMs) / widthMs)];
  const madeAt = new Map<string, number>();
  for (const { run, place, from, to, at: ms } of changes) {
    const current = binAt(ms);
    if (place === 'final' && to !== null && current !== undefined) current.ended += 1;
    if (place !== 'live') continue;
    if (from === null && to === 'queued') madeAt.set(run, ms);
    const made = madeAt.get(run);
    if (to !== 'running' || made === undefined) continue;
    current?.waits.push(ms - made);
    madeAt.delete(run);
  }
  return bins.map(({ s, ended, waits }) => {
    const sorted = waits.toSorted((a, b) => a - b);
    const quantile = (share: number): number | null => {
      const wait = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
      return wait === undefined ? null : Math.round(wait * 10) / 10;
    };
    return {
      s,
      endedPerSecond: Math.round((ended * sampleEvery * 10_000) / widthMs) / 10,
      p50: quantile(0.5),
      p99: quantile(0.99),
    };
  });
}

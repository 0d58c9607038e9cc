import { quantile } from '../../../kit/quantile.js';
import type { Verdict } from '../report/print-verdicts.js';
import type { SentJob } from './send-jobs.js';
import type { ShardPlace } from './place.js';

/** What one shard has written down. */
interface Done {
  readonly n: number;
  readonly shard: string;
  /** From due to begun, on the clock of the database. */
  readonly waitedMs: number;
  readonly atMs: number;
}

/** A fault, on this machine's clock, which is that of all databases. */
export interface FaultWindow {
  /** null: it hurts all of them. `none`: it only keeps the cores busy, as a shard does that catches up. */
  readonly shard: string | null | { readonly none: true };
  readonly what: string;
  readonly fromMs: number;
  /** From here on it catches up. */
  readonly overMs: number;
  readonly untilMs: number;
}

export interface ShardReport {
  readonly verdicts: readonly Verdict[];
  /**
   * p99 in ms, from due to begun, of what came and was picked up while nothing was done to any shard; and of what came to a
   * shard while another one had a fault, or caught up, and it had none.
   */
  readonly quietMs: number;
  readonly besideMs: number;
  /** The second one by what came while the fault lasted, and while what had waited was caught up. */
  readonly duringMs: number;
  readonly afterMs: number;
  /** The same at all shards while the cores were kept busy, and no shard was hurt. */
  readonly busyMs: number;
  readonly byFault: readonly { readonly what: string; readonly duringMs: number; readonly afterMs: number }[];
  readonly acknowledged: number;
  readonly unknown: number;
}

/** What the witnesses say, beside what was acknowledged. */
export async function judgeShards(
  places: readonly ShardPlace[],
  sent: readonly SentJob[],
  windows: readonly FaultWindow[],
): Promise<ShardReport> {
  const done = (await Promise.all(places.map(readDone))).flat();
  const byN = new Map<number, Done[]>();
  for (const one of done) byN.set(one.n, [...(byN.get(one.n) ?? []), one]);
  const acknowledged = sent.filter(({ isAcknowledged }) => isAcknowledged);
  const lost = acknowledged.filter(({ n }) => !byN.has(n));
  const twice = [...byN].filter(([, all]) => all.length > 1);
  const strayed = sent.filter(({ n, shard }) => byN.get(n)?.some((one) => one.shard !== shard));
  const forwards = acknowledged.filter(({ isForward }) => isForward);
  const wrongFences = (await Promise.all(places.map(readWrongFences))).flat();
  const open = (await Promise.all(places.map(readOpen))).flat();
  // from when it came until it was picked up
  const meets = ({ atMs, waitedMs }: Done, { fromMs, untilMs }: FaultWindow): boolean =>
    atMs >= fromMs && atMs - waitedMs <= untilMs;
  const met = done.map((one) => ({ one, met: windows.filter((window) => meets(one, window)) }));
  const quiet = met.filter(({ met: faults }) => faults.length === 0).map(({ one }) => one);
  const beside = besideFaults(met);
  const show = ({ n, shard, isForward }: SentJob): string => `${n} ${isForward ? 'forwarded to' : 'of'} ${shard}`;
  return {
    verdicts: [
      { promise: 'What was acknowledged was done', judged: acknowledged.length, broken: lost.map(show) },
      {
        promise: 'Nothing was completed twice',
        judged: byN.size,
        broken: twice.map(([n, all]) => `${n}: ${all.map(({ shard }) => shard).join(', ')}`),
      },
      { promise: 'Each was done in its shard', judged: sent.length, broken: strayed.map(show) },
      {
        promise: 'Each forward made one job',
        judged: forwards.length,
        broken: forwards.filter(({ n }) => byN.get(n)?.length !== 1).map(show),
      },
      {
        promise: 'Each claim had a fence of its own, and the last one settled',
        judged: done.length,
        broken: wrongFences,
      },
      { promise: 'Everything came to an end', judged: byN.size, broken: open },
    ],
    quietMs: p99(quiet),
    besideMs: p99(beside.map(({ one }) => one)),
    ...delaysOf(beside),
    busyMs: p99(met.filter(({ met: faults }) => faults.some(isControl)).map(({ one }) => one)),
    byFault: [...new Set(beside.map(({ what }) => what))].map((what) => ({
      what,
      ...delaysOf(beside.filter((one) => one.what === what)),
    })),
    acknowledged: acknowledged.length,
    unknown: sent.length - acknowledged.length,
  };
}

interface Beside {
  readonly one: Done;
  readonly what: string;
  /** It came while the fault lasted, and not while what had waited was caught up. */
  readonly isDuring: boolean;
}

/** What came to a shard that had no fault while another one had. */
function besideFaults(met: readonly { readonly one: Done; readonly met: readonly FaultWindow[] }[]): Beside[] {
  return met.flatMap(({ one, met: faults }) => {
    const fault = faults.find((other) => !isControl(other));
    if (fault === undefined || faults.some((other) => hurts(other, one.shard))) return [];
    return [{ one, what: fault.what, isDuring: one.atMs - one.waitedMs <= fault.overMs }];
  });
}

const isControl = ({ shard }: FaultWindow): boolean => typeof shard === 'object' && shard !== null;
const hurts = ({ shard }: FaultWindow, name: string): boolean => shard === null || shard === name;

function delaysOf(beside: readonly Beside[]): { readonly duringMs: number; readonly afterMs: number } {
  const of = (isDuring: boolean): number =>
    p99(beside.filter((one) => one.isDuring === isDuring).map(({ one }) => one));
  return { duringMs: of(true), afterMs: of(false) };
}

async function readDone({ name, direct }: ShardPlace): Promise<Done[]> {
  const rows = await direct.$queryRaw<{ n: bigint; waited: number; at: number }[]>({
    text: `
      SELECT d.n, (extract(epoch FROM d.begun_at - h.created_at) * 1000)::float8 AS waited, (extract(epoch FROM d.begun_at) * 1000)::float8 AS at
      FROM witness.done AS d JOIN duework.job_history AS h ON h.id = d.run_id`,
    values: [],
  });
  return rows.map(({ n, waited, at }) => ({ n: Number(n), shard: name, waitedMs: waited, atMs: at }));
}

/** What was completed under another fence than the run's last one, or had an attempt with that fence before. */
async function readWrongFences({ name, direct }: ShardPlace): Promise<string[]> {
  const rows = await direct.$queryRaw<{ run: string }[]>({
    text: `
      SELECT d.run_id::text AS run FROM witness.done AS d JOIN duework.job_history AS h ON h.id = d.run_id
      WHERE h.fence <> d.fence OR EXISTS (SELECT FROM duework.job_attempts AS a WHERE a.run_id = h.id AND a.fence >= d.fence)`,
    values: [],
  });
  return rows.map(({ run }) => `${name}.${run}`);
}

async function readOpen({ name, direct }: ShardPlace): Promise<string[]> {
  const rows = await direct.$queryRaw<{ run: string; status: string }[]>({
    text: 'SELECT id::text AS run, status FROM duework.job_runs LIMIT 20',
    values: [],
  });
  return rows.map(({ run, status }) => `${name}.${run} is ${status}`);
}

const p99 = (done: readonly Done[]): number =>
  quantile(
    done.map(({ waitedMs }) => waitedMs),
    0.99,
  );

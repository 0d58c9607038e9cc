import { readTreeCpuMicros } from '../bench/gauges/read-cpu.js';
import { timed } from '../../kit/timed.js';
import type { Call } from './list-calls.js';

export interface Measured {
  readonly screen: string;
  readonly name: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  /** Processor time of one call; null where there is no /proc. */
  readonly serverCpuMs: number | null;
  readonly apiCpuMs: number | null;
  readonly kilobytes: number;
}

export interface Measuring {
  /** Asks the API; the text of its answer. Throws where that is no success. */
  readonly ask: (path: string, body?: object) => Promise<string>;
  readonly serverPid: number;
  readonly apiPid: number;
  readonly calls: number;
}

const UNMEASURED = 3;

/** Asks one after the other, as one person's browser does, a few times unmeasured before. */
export async function measureCall(call: Call, { ask, serverPid, apiPid, calls }: Measuring): Promise<Measured> {
  for (let n = 0; n < UNMEASURED; n++) await ask(call.path(n), call.body);
  const before = [serverPid, apiPid].map(readTreeCpuMicros);
  const times: number[] = [];
  let bytes = 0;
  for (let n = 1; n <= calls; n++) {
    const { result, ms } = await timed(() => ask(call.path(n * 317), call.body));
    times.push(ms);
    bytes = Math.max(bytes, Buffer.byteLength(result));
  }
  const [serverCpuMs, apiCpuMs] = [serverPid, apiPid].map((pid, index) => {
    const [from, to] = [before[index] ?? null, readTreeCpuMicros(pid)];
    return from === null || to === null ? null : (to - from) / 1_000 / calls;
  });
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!;
  return {
    screen: call.screen,
    name: call.name,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    maxMs: at(1),
    serverCpuMs: serverCpuMs ?? null,
    apiCpuMs: apiCpuMs ?? null,
    kilobytes: bytes / 1_024,
  };
}

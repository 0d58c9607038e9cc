import { readFileSync } from 'node:fs';
import { readTreeCpuMicros } from './read-cpu.js';

const TICK_MICROS = 10_000;

interface Machine {
  readonly busy: number;
  readonly total: number;
}

/** The time for which the machine was busy, and all its time, in microseconds of one core. */
function readMachine(): Machine {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const total = ticks.reduce((sum, value) => sum + value, 0);
  const [, , , idle = 0, waiting = 0] = ticks;
  return { busy: (total - idle - waiting) * TICK_MICROS, total: total * TICK_MICROS };
}

/**
 * Measures what share of the machine others use, because figures are worse beside them. Ours are the given processes
 * with their children, which must have ended when the returned function is called. null where there is no /proc.
 */
export function watchForeignCpu(pids: readonly number[]): () => number | null {
  if (process.platform !== 'linux') return () => null;
  const readOwn = (): number => pids.reduce((sum, pid) => sum + (readTreeCpuMicros(pid) ?? 0), 0);
  const before = { ...readMachine(), own: readOwn() };
  return function readForeignShare() {
    const after = { ...readMachine(), own: readOwn() };
    const busy = after.busy - before.busy - (after.own - before.own);
    return Math.max(0, busy / (after.total - before.total));
  };
}

import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in these units, whatever its kernel's own clock is. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly parent: number;
  readonly ticks: number;
  /** The time of its children that have ended. */
  readonly endedTicks: number;
}

function readStat(pid: number | string): Stat {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const at = (index: number): number => Number(fields[index]);
  return { parent: at(1), ticks: at(11) + at(12), endedTicks: at(13) + at(14) };
}

/**
 * The CPU time of a process in microseconds, with its children and those that ended. It only grows. null where there is
 * no /proc.
 */
export function readTreeCpuMicros(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const own = readStat(pid);
  let ticks = own.ticks + own.endedTicks;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readStat(name);
      if (stat.parent === pid) ticks += stat.ticks;
    } catch {
      // the child ended in between, and is counted with the ended ones the next time
    }
  }
  return (ticks * 1_000_000) / TICKS_PER_SECOND;
}

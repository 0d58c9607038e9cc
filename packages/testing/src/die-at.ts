import { CRASH_POINTS, WAIT_CRASH_POINTS, type CrashPoint, type CrashHook } from '@duework/queue-core';

/**
 * Kills this process (SIGKILL: no handler, no exit code, nothing flushed) when its worker comes to a crash point.
 * `where` is the name of a point and, after a colon, at which of its visits: `effect.after`, `settle.before:3`. An
 * app's env.ts reads it, in its tests only. Throws when there is no such point.
 */
export function dieAt(where: string): CrashHook {
  const { point, nth } = parseWhere(where);
  let count = 0;
  return (name) => {
    if (name !== point || ++count < nth) return;
    process.kill(process.pid, 'SIGKILL');
    // never resolves: the worker does nothing more until the signal arrives
    return new Promise(() => {});
  };
}

function parseWhere(where: string): { point: CrashPoint; nth: number } {
  const [name, times = '1'] = where.split(':');
  const points: readonly CrashPoint[] = [...CRASH_POINTS, ...WAIT_CRASH_POINTS];
  const point = points.find((known) => known === name);
  if (point === undefined || !/^[1-9]\d*$/.test(times)) {
    throw new Error(
      `${JSON.stringify(where)} is not a crash point such as "effect.after" or "settle.before:3". Known: ${points.join(', ')}.`,
    );
  }
  return { point, nth: Number(times) };
}

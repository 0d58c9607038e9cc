import type { PlannedTurn } from '../plan-turns.js';
import type { Result } from './run.js';

/**
 * Shows which measure runs: on a terminal a line that is overwritten, elsewhere a line for each. The returned function
 * completes it with the result.
 */
export function showTurn({
  turn: { round, measure, system },
  index,
  count,
  begunMs,
}: {
  readonly turn: PlannedTurn;
  readonly index: number;
  readonly count: number;
  readonly begunMs: number;
}): (result: Pick<Result, 'figures' | 'error'>) => void {
  const isTerminal = process.stderr.isTTY === true;
  const place = String(index + 1).padStart(String(count).length);
  const label = `${place}/${count}  round ${round + 1}  ${measure.name}, ${system.title}`;
  const minutes = (): string => {
    const seconds = Math.round((performance.now() - begunMs) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  };
  const show = (): boolean => process.stderr.write(`\r${minutes()}  ${label}`.padEnd(90));
  const timer = isTerminal ? setInterval(show, 1_000) : undefined;
  if (isTerminal) show();
  return function end({ figures, error }) {
    clearInterval(timer);
    if (error !== undefined) {
      process.stderr.write(`${isTerminal ? '\r' : ''}${minutes()}  ${label}: FAILED. ${error}\n`);
    } else if (!isTerminal) {
      const [first] = measure.figures;
      const value = first === undefined ? null : figures?.[first.key];
      const shown = typeof value === 'number' ? Number(value.toPrecision(4)) : '–';
      process.stderr.write(`${minutes()}  ${label}: ${shown} ${first?.unit ?? ''}\n`);
    }
  };
}

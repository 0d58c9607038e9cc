import Table from 'cli-table3';
import type { Measured } from './measure-searches.js';

/** Prints what was measured; returns whether all of it is within the limit. */
export function printSearches(measured: readonly Measured[], limitMs: number): boolean {
  const table = new Table({
    head: ['filter', 'what', 'p50, ms', 'p95, ms', 'max, ms', 'answer'],
    colAligns: ['left', 'left', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, what, p50Ms, p95Ms, maxMs, answer } of measured)
    table.push([name, what, p50Ms.toFixed(1), p95Ms.toFixed(1), maxMs.toFixed(1), answer]);
  const slow = measured.filter(({ p95Ms }) => p95Ms > limitMs);
  process.stdout.write(`${table.toString()}\n`);
  const worst = Math.max(...measured.map(({ p95Ms }) => p95Ms));
  process.stdout.write(
    slow.length === 0
      ? `Every page and count: p95 at most ${worst.toFixed(0)} ms, of ${limitMs}.\n`
      : `Over ${limitMs} ms: ${slow.map(({ what, name }) => `${what} of ${name}`).join('; ')}.\n`,
  );
  return slow.length === 0;
}

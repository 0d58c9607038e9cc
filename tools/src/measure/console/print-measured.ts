import Table from 'cli-table3';
import type { Measured } from './measure-calls.js';

/**
 * Prints what was measured; returns whether all of it is within the limit.
 *
 * @param foreign the share of the machine that others took meanwhile; null: nobody knows
 */
export function printMeasured(measured: readonly Measured[], limitMs: number, foreign: number | null): boolean {
  const table = new Table({
    head: ['screen', 'call', 'p50, ms', 'p95, ms', 'max, ms', 'CPU server, ms', 'CPU API, ms', 'kB'],
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
  const print = (number: number | null): string => (number === null ? '–' : number.toFixed(1));
  for (const { screen, name, p50Ms, p95Ms, maxMs, serverCpuMs, apiCpuMs, kilobytes } of measured)
    table.push([screen, name, ...[p50Ms, p95Ms, maxMs, serverCpuMs, apiCpuMs, kilobytes].map(print)]);
  process.stdout.write(`${table.toString()}\n`);
  if (foreign !== null)
    process.stdout.write(
      `Others took ${(foreign * 100).toFixed(0)} % of the machine meanwhile; times are worse beside them, processor time hardly.\n`,
    );
  const slow = measured.filter(({ p95Ms }) => p95Ms > limitMs);
  const worst = Math.max(...measured.map(({ p95Ms }) => p95Ms));
  process.stdout.write(
    slow.length === 0
      ? `Each of ${measured.length} calls: p95 at most ${worst.toFixed(0)} ms, of ${limitMs}.\n`
      : `Over ${limitMs} ms: ${slow.map(({ screen, name }) => `${screen}, ${name}`).join('; ')}.\n`,
  );
  return slow.length === 0;
}

import Table from 'cli-table3';
import type { DedicatedReport } from './torture-dedicated.js';

const EXAMPLES = 5;

/** Prints what was found; the exit code. */
export function reportDedicated(reports: readonly DedicatedReport[]): number {
  for (const { title, verdicts, acknowledged, lostByFailover } of reports) {
    const table = new Table({ head: [title, 'judged', 'broken'], style: { head: [], border: [] } });
    for (const { promise, judged, broken } of verdicts) table.push([promise, judged, broken.length]);
    process.stdout.write(`${table.toString()}\n`);
    for (const { promise, broken } of verdicts)
      if (broken.length > 0) process.stdout.write(`${promise}: not ${broken.slice(0, EXAMPLES).join('; ')}\n`);
    process.stdout.write(`${acknowledged} enqueues were acknowledged; a failover has lost ${lostByFailover}.\n`);
  }
  return reports.some(({ verdicts }) => verdicts.some(({ broken }) => broken.length > 0)) ? 1 : 0;
}

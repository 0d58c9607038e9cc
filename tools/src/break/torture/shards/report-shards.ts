import Table from 'cli-table3';
import { printVerdicts } from '../report/print-verdicts.js';
import type { ShardReport } from './judge-shards.js';

/** What the others may pick up later, by, while one shard has a fault. */
const MOST_TIMES = 1.5;

/** Prints what was found; the exit code. `isJudged`: the others' pickup, too, which a quick run only tells. */
export function reportShards(report: ShardReport, isJudged: boolean): number {
  const { verdicts, quietMs, besideMs, duringMs, afterMs, acknowledged, unknown } = report;
  const isBroken = printVerdicts('promise', verdicts);
  const delays = new Table({
    head: ['p99 of the pickup beside it, ms', 'while it lasts', 'while it is caught up'],
    style: { head: [], border: [] },
  });
  for (const fault of report.byFault) delays.push([fault.what, fault.duringMs.toFixed(1), fault.afterMs.toFixed(1)]);
  process.stdout.write(`${delays.toString()}\n`);
  const times = besideMs / quietMs;
  process.stdout.write(
    `${acknowledged} enqueues were acknowledged, of ${unknown} nobody knew. Picked up, p99: ${quietMs.toFixed(1)} ms in quiet, ` +
      `${besideMs.toFixed(1)} ms at the other shards while one was hurt (${times.toFixed(2)} ×), that is ${duringMs.toFixed(1)} ms while the fault lasted and ${afterMs.toFixed(1)} ms while it caught up.\n`,
  );
  process.stdout.write(
    `For comparison: ${report.busyMs.toFixed(1)} ms at all shards while other processes kept the cores busy and no shard was hurt.\n`,
  );
  const isLate = isJudged && !(times <= MOST_TIMES);
  if (isLate) process.stdout.write(`The other shards were to be no later than ${MOST_TIMES} ×.\n`);
  return isLate || isBroken ? 1 : 0;
}

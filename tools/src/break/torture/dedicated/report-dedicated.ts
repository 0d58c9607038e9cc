import { printVerdicts } from '../report/print-verdicts.js';
import type { DedicatedReport } from './torture-dedicated.js';

/** Prints what was found; the exit code. */
export function reportDedicated(reports: readonly DedicatedReport[]): number {
  let isBroken = false;
  for (const { title, verdicts, acknowledged, lostByFailover } of reports) {
    if (printVerdicts(title, verdicts)) isBroken = true;
    process.stdout.write(`${acknowledged} enqueues were acknowledged; a failover has lost ${lostByFailover}.\n`);
  }
  return isBroken ? 1 : 0;
}

import Table from 'cli-table3';
import type { DrillResult } from './drill.js';

/** The first wait of the contract's retry policy, 2 s, without its jitter. */
const MIN_RETRY_MS = 1_600;
/** After its deadline a worker gives handlers a grace, and writes settlements. */
const GRACE_MS = 2_000;
/** The time until a lease is over and another worker finds it. */
const RESCUE_MS = 5_000;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The subject, the promise, the result, and whether it was kept. */
type Row = readonly [string, string, string, boolean];

/** Each promise as a row. */
function judge(drill: DrillResult): readonly Row[] {
  const { receipts, refused, mail, shutdown, recovery, succeeded } = drill;
  const sent = mail.accepted.size;
  const duplicates = mail.acceptedCount() - sent;
  const lost = receipts - Math.min(sent, succeeded);
  const retried = mail.waitsMs.length;
  const soonestMs = Math.min(...mail.waitsMs);
  return [
    ['sent', `${receipts}`, `${sent}`, sent === receipts],
    [
      'refused at first, and retried',
      `${refused}, after ${seconds(MIN_RETRY_MS)} or more`,
      `${retried}${retried === 0 ? '' : `, after ${seconds(soonestMs)} or more`}`,
      retried === refused && mail.refusals() === refused && soonestMs >= MIN_RETRY_MS,
    ],
    ['duplicates', '0', `${duplicates}`, duplicates === 0],
    ['lost', '0', `${lost}`, lost === 0],
    [
      'time to recover from SIGKILL',
      `≤ ${seconds(drill.leaseMs + RESCUE_MS)}`,
      recovery === undefined ? 'not reached' : `${seconds(recovery.tookMs)}, ${recovery.runs} runs`,
      recovery !== undefined && recovery.tookMs <= drill.leaseMs + RESCUE_MS && recovery.runs > 0,
    ],
    [
      'time to shut down on SIGTERM',
      `≤ ${seconds((shutdown?.deadlineMs ?? 0) + GRACE_MS)}, exit code 0`,
      shutdown === undefined ? 'not reached' : `${seconds(shutdown.tookMs)}, ${shutdown.how}`,
      shutdown !== undefined && shutdown.tookMs <= shutdown.deadlineMs + GRACE_MS && shutdown.how === 'exit code 0',
    ],
    [
      'given back by it, none charged',
      '1 or more, none kept',
      `${drill.released}, ${shutdown?.left ?? '?'} kept, ${drill.overcharged} charged`,
      drill.released > 0 && drill.overcharged === 0 && shutdown?.left === 0,
    ],
    ['warnings of a worker', '0', drill.warnings.join('\n') || '0', drill.warnings.length === 0],
  ];
}

/** Prints the result, the table last; returns the exit code. */
export function report(drill: DrillResult): number {
  const rows = judge(drill);
  const broken = rows.filter(([, , , holds]) => !holds).length;
  if (drill.problem !== undefined) process.stderr.write(`${drill.problem}\n`);
  const arrived = drill.asked.filter(({ hasArrived }) => hasArrived).length;
  if (drill.asked.length > 0) {
    process.stdout.write(
      `The killed worker was just handing over ${drill.asked.length} of the mails. A person looked: ${arrived} had arrived, ${drill.asked.length - arrived} had not.\n`,
    );
  }
  const holds = broken === 0 && drill.problem === undefined;
  process.stdout.write(
    holds
      ? `Every promise held with workers on ${drill.engineClient}, in ${seconds(drill.tookMs)}.\n`
      : `${broken} of ${rows.length} promises broke with workers on ${drill.engineClient}, in ${seconds(drill.tookMs)}.\n`,
  );
  const table = new Table({ head: ['', 'promised', 'seen', ''], style: { head: [], border: [] } });
  for (const [what, promised, seen, isKept] of rows) table.push([what, promised, seen, isKept ? 'ok' : 'BROKEN']);
  process.stdout.write(`${table.toString()}\n`);
  return holds ? 0 : 1;
}

import Table from 'cli-table3';

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** Each promise as a row: what was promised, what was seen. A row that does not hold breaks the drill. */
function judge(drill) {
  const { receipts, failing, mail } = drill;
  const counts = [...mail.accepted.values()];
  const duplicates = counts.reduce((sum, count) => sum + count - 1, 0);
  const lost = receipts - mail.accepted.size;
  const recoverLimitMs = drill.leaseMs + 5_000;
  return [
    ['receipts sent', `${receipts}`, `${mail.accepted.size}`, mail.accepted.size === receipts],
    ['duplicates', '0', `${duplicates}`, duplicates === 0],
    ['lost', '0', `${lost}`, lost === 0 && drill.succeeded === receipts],
    ['refused at first, retried', `${failing}`, `${drill.retried}`, drill.retried === failing && mail.refusals() === failing],
    ['shutdown on SIGTERM', `≤ ${seconds(drill.shutdownDeadlineMs)}, exit code 0`, `${seconds(drill.shutdownMs)}, ${drill.shutdownHow}`,
      drill.shutdownMs <= drill.shutdownDeadlineMs && drill.shutdownHow === 'exit code 0'],
    ['attempts charged for the deploy', '0', `${drill.overcharged}`, drill.overcharged === 0],
    ['started again after SIGKILL', `≤ ${seconds(recoverLimitMs)}`, `${seconds(drill.recoverMs)} (${drill.orphans} runs)`, drill.recoverMs <= recoverLimitMs],
  ];
}

/** Prints the table; returns the exit code. */
export function report(drill) {
  const table = new Table({ head: ['', 'promised', 'seen', ''], style: { head: [], border: [] } });
  const rows = judge(drill);
  for (const [what, promised, seen, holds] of rows) table.push([what, promised, seen, holds ? 'ok' : 'BROKEN']);
  process.stdout.write(`${table.toString()}\n`);
  if (drill.asked.length > 0) {
    const arrived = drill.asked.filter(({ hasArrived }) => hasArrived).length;
    process.stdout.write(`The killed worker was just handing over ${drill.asked.length} mail(s): ${arrived} had arrived, ${drill.asked.length - arrived} had not. A person looked.\n`);
  }
  const broken = rows.filter(([, , , holds]) => !holds);
  process.stdout.write(broken.length === 0 ? `Every promise held, in ${seconds(drill.tookMs)}.\n` : `${broken.length} promise(s) broke.\n`);
  return broken.length === 0 ? 0 : 1;
}

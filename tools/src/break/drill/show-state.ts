import type { Drill } from './drill.js';

const TERMINAL_MS = 100;
const PLAIN_MS = 2_000;

/**
 * Shows the progress of the drill: on a terminal one line that is overwritten, elsewhere a line at intervals. The
 * returned function ends it.
 */
export function showState(drill: Drill): () => void {
  const isTerminal = process.stderr.isTTY === true;
  const line = (): string => {
    const sent = drill.mail.acceptedCount();
    const bar = '█'.repeat(Math.round((20 * Math.min(sent, drill.receipts)) / drill.receipts)).padEnd(20, '░');
    const seconds = ((performance.now() - drill.begunMs) / 1000).toFixed(1).padStart(5);
    return `${seconds} s  ${bar} ${String(sent).padStart(4)}/${drill.receipts} sent  ${drill.mail.refusals()} refused  ${drill.phase}`;
  };
  let phase = '';
  let shownMs = -Infinity;
  const show = (): void => {
    if (isTerminal) return void process.stderr.write(`\r${line().padEnd(90)}`);
    if (phase === drill.phase && performance.now() - shownMs < PLAIN_MS) return;
    phase = drill.phase;
    shownMs = performance.now();
    process.stderr.write(`${line()}\n`);
  };
  const timer = setInterval(show, TERMINAL_MS);
  return () => {
    clearInterval(timer);
    show();
    process.stderr.write('\n');
  };
}

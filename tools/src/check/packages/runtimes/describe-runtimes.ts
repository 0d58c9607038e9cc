import type { ErrorCode, Runtime } from './runtimes.js';

const HEAD = ['', 'tried with', 'an error in a timer ends the job as', 'one in a promise that nobody awaits'];
const CODES: Readonly<Record<ErrorCode, string>> = {
  uncaught_error: '`uncaught_error`',
  process_failed: '`process_failed`',
};

/** The table of the documentation, as Prettier writes it. */
export function describeRuntimes(runtimes: readonly Runtime[]): string {
  const rows = runtimes.map(({ name, version, thrown }) => [
    titleOf(name),
    version,
    CODES[thrown.timer],
    CODES[thrown.promise],
  ]);
  const widths = HEAD.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const pad = (row: readonly string[]): string => line(row.map((cell, at) => cell.padEnd(widths[at]!)));
  return [pad(HEAD), line(widths.map((width) => '-'.repeat(width))), ...rows.map(pad)].join('\n');
}

function titleOf(name: string): string {
  const [word, line] = name.split('-');
  const title = word!.charAt(0).toUpperCase() + word!.slice(1);
  return line === undefined ? title : `${title} ${line}`;
}

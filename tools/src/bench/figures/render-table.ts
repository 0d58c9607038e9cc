import { findMedian, type SavedRun } from '../report/run.js';
import type { SystemName } from '../systems/system.js';

/** What docs/benchmark.json holds: a run, and a second one in which only our two clients and two rivals took part. */
export interface PublishedRun extends SavedRun {
  readonly clients?: SavedRun;
}

/** One line of a table in the documentation. */
export interface TableRow {
  readonly title: string;
  readonly measure: string;
  readonly key: string;
}

export interface DocsTable {
  /** Which of the two published runs the table shows. */
  readonly source: 'all' | 'clients';
  /** The heading of the first column. */
  readonly head: string;
  readonly rows: readonly TableRow[];
}

/** In the order of the columns; a system without a figure is left out. */
const COLUMNS: readonly { readonly name: SystemName; readonly head: string; readonly isOwn?: true }[] = [
  { name: 'duework', head: 'Duework', isOwn: true },
  { name: 'duework-pg', head: 'Duework, pg', isOwn: true },
  { name: 'graphile', head: 'graphile-worker' },
  { name: 'pg-boss', head: 'pg-boss' },
  { name: 'bullmq', head: 'BullMQ' },
  { name: 'floor', head: 'floor' },
];

/** The figures as a table in Markdown, laid out as Prettier does it. */
export function renderTable({ source, head, rows }: DocsTable, run: PublishedRun): string {
  const { medians } = source === 'clients' ? (run.clients ?? run) : run;
  const columns = COLUMNS.filter(({ name }) =>
    rows.some(({ measure, key }) => findMedian(medians, measure, name, key) !== undefined),
  );
  const cells = rows.map(({ title, measure, key }) => [
    title,
    ...columns.map(({ name, isOwn }) => {
      const value = findMedian(medians, measure, name, key);
      if (value === undefined) return '–';
      return isOwn === true ? `**${formatFigure(value)}**` : formatFigure(value);
    }),
  ]);
  return layOut([[head, ...columns.map((column) => column.head)], ...cells]);
}

/** Three significant digits, with trailing zeros. */
export function formatFigure(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Math.abs(value) >= 1 ? value.toPrecision(3) : value.toFixed(2);
}

/** Aligns the first column to the left, the others to the right. */
function layOut([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, index) => Math.max(3, ...[head, ...rows].map((cells) => cells[index]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const pad = (cell: string, index: number): string =>
    index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0);
  const rule = widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [head.map(pad), rule, ...rows.map((cells) => cells.map(pad))].map(line).join('\n');
}

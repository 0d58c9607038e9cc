import { findMedian, type SavedRun } from '../../measure/bench/report/run.js';
import type { SystemName } from '../../measure/bench/systems/system.js';
import { wrapProse } from './wrap-prose.js';

/** One line of a table in the documentation. */
export interface TableRow {
  /** Begins with `…` where it says more of the row above. */
  readonly title: string;
  readonly measure: string;
  readonly key: string;
  /** The system whose figure is not of quite the same thing, as the table's footnote says. */
  readonly footnoted?: SystemName;
}

export interface DocsTable {
  /** The heading of the first column. */
  readonly head: string;
  readonly rows: readonly TableRow[];
  readonly footnote?: string;
}

/** In the order of the columns; a system without a figure is left out. */
const COLUMNS: readonly { readonly name: SystemName; readonly head: string; readonly isOwn?: true }[] = [
  { name: 'duework', head: 'Duework, Prisma', isOwn: true },
  { name: 'duework-pg', head: 'Duework, pg', isOwn: true },
  { name: 'graphile', head: 'graphile-worker' },
  { name: 'pg-boss', head: 'pg-boss' },
  { name: 'bullmq', head: 'BullMQ' },
  { name: 'floor', head: 'floor' },
];

const FOOTNOTE = '†';

/**
 * The figures as a table in Markdown, laid out as oxfmt does it. Rows that the run did not measure are named below
 * the table instead.
 */
export function renderTable({ head, rows, footnote }: DocsTable, { medians }: SavedRun): string {
  const find = ({ measure, key }: TableRow, name: SystemName): number | undefined =>
    findMedian(medians, measure, name, key);
  const isMeasured = (row: TableRow): boolean => COLUMNS.some(({ name }) => find(row, name) !== undefined);
  const shown = rows.filter(isMeasured);
  const columns = COLUMNS.filter(({ name }) => shown.some((row) => find(row, name) !== undefined));
  const cells = shown.map((row) => [
    row.title,
    ...columns.map(({ name, isOwn }) => {
      const value = find(row, name);
      if (value === undefined) return '–';
      const figure = isOwn === true ? `**${formatFigure(value)}**` : formatFigure(value);
      return row.footnoted === name ? `${figure} ${FOOTNOTE}` : figure;
    }),
  ]);
  const isFootnoted = shown.some((row) => row.footnoted !== undefined && find(row, row.footnoted) !== undefined);
  const missing = rows.filter((row) => !isMeasured(row) && !row.title.startsWith('…')).map(({ title }) => title);
  return [
    ...(shown.length === 0 ? [] : [layOut([[head, ...columns.map((column) => column.head)], ...cells])]),
    ...(isFootnoted && footnote !== undefined ? [wrapProse(`${FOOTNOTE} ${footnote}`)] : []),
    ...(missing.length === 0 ? [] : [wrapProse(`Not measured in the published run: ${missing.join('; ')}.`)]),
  ].join('\n\n');
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

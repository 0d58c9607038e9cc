import type { OfShard } from '../operations/of-shard.js';
import { formatTable, type Cell } from './format-table.js';
import type { Look } from './look.js';

/** Rows as a table, which begins with the shard of each where there are shards; without rows, `ifEmpty`. */
export function formatRows<T>(
  head: readonly string[],
  rows: readonly OfShard<T>[],
  toRow: (row: T) => readonly Cell[],
  ifEmpty: string,
  look?: Look,
): string {
  if (!rows.some(({ shard }) => shard !== undefined)) return formatTable(head, rows.map(toRow), ifEmpty, look);
  return formatTable(
    ['SHARD', ...head],
    rows.map((row) => [row.shard ?? '', ...toRow(row)]),
    ifEmpty,
    look,
  );
}

import { formatBytes, type IndexState, type ListedIndex } from '@duework/operate';
import { formatTable, type Cell } from '../output/format-table.js';
import type { Look } from '../output/look.js';

const STATES: Readonly<Record<IndexState, Cell>> = {
  good: 'good',
  bloated: { text: 'mostly empty', style: 'yellow' },
  left_over: { text: 'left over from a rebuild', style: 'red' },
  in_work: 'is being built',
  unbuilt: { text: 'not built to its end', style: 'red' },
};

/** The indexes, and how to mend those that need it. */
export function showIndexes(indexes: readonly ListedIndex[], look: Look): string {
  const rows = indexes.map(({ name, table, state, bytes, neededBytes }) => [
    name,
    table,
    formatBytes(bytes),
    neededBytes === null ? '?' : formatBytes(Math.min(neededBytes, bytes)),
    STATES[state],
  ]);
  const table = formatTable(['INDEX', 'TABLE', 'SIZE', 'NEEDED', 'STATE'], rows, 'There are no indexes.', look);
  const isToMend = indexes.some(({ state }) => state !== 'good' && state !== 'in_work');
  return `${table}${isToMend ? '\nMend them: npx duework indexes --rebuild\n' : ''}`;
}

import { cleanText } from './clean-text.js';
import { paint, PLAIN, type Look, type Style } from './look.js';

export type Cell = string | { readonly text: string; readonly style?: Style | undefined };

/**
 * Columns as wide as their widest cell, two spaces apart; without rows, `ifEmpty`. Where lines have a width the last
 * column is cut to it.
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  ifEmpty: string,
  look: Look = PLAIN,
): string {
  if (rows.length === 0) return `${ifEmpty}\n`;
  const texts = [head, ...rows.map((row) => row.map((cell) => cleanText(typeof cell === 'string' ? cell : cell.text)))];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]!.length)));
  const last = head.length - 1;
  const room = (look.columns ?? Infinity) - widths.slice(0, last).reduce((sum, width) => sum + width + 2, 0);
  return texts
    .map((row, index) => {
      const cells = row.map((text, column) => {
        const given = index === 0 ? undefined : rows[index - 1]![column];
        const style = index === 0 ? 'bold' : typeof given === 'object' ? given.style : undefined;
        if (column === last) return paint(look, style, cut(text, room));
        return paint(look, style, text) + ' '.repeat(widths[column]! - text.length);
      });
      return `${cells.join('  ').trimEnd()}\n`;
    })
    .join('');
}

/** What is narrower than a few words is not worth a column: such a line wraps. */
const LEAST_ROOM = 12;

const cut = (text: string, room: number): string =>
  room < LEAST_ROOM || text.length <= room ? text : `${text.slice(0, room - 1)}…`;

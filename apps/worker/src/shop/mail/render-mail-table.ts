import { escapeHtml } from './escape-html.js';

/** A table for an HTML mail; all cells are text, and the last column is aligned right and does not break. `total`, if given, is its last row. */
export function renderMailTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  total?: readonly string[],
): string {
  const cells = (tag: 'th' | 'td', row: readonly string[], style: string): string =>
    row
      .map((text, index) => {
        const align = index === row.length - 1 ? 'align="right" nowrap' : 'align="left"';
        return `<${tag} ${align} style="padding:8px 6px;border-bottom:1px solid #d9dee8;vertical-align:top;${style}">${escapeHtml(text)}</${tag}>`;
      })
      .join('');
  return [
    '<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;font-size:14px;margin:0 0 16px">',
    `<tr>${cells('th', head, 'background:#f2f5fb;font-size:13px')}</tr>`,
    ...rows.map((row) => `<tr>${cells('td', row, '')}</tr>`),
    ...(total === undefined ? [] : [`<tr>${cells('td', total, 'font-weight:bold;border-bottom:0')}</tr>`]),
    '</table>',
  ].join('\n');
}

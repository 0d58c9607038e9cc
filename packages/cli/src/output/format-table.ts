/** Columns as wide as their widest cell, two spaces apart; without rows, `ifEmpty`. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[], ifEmpty: string): string {
  if (rows.length === 0) return `${ifEmpty}\n`;
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  return [head, ...rows]
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

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

/** `3 s`, `2 min`, `5 h`: how late something was; nothing under a second. */
export function formatLate(ms: number): string {
  if (ms < 1_000) return '';
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}

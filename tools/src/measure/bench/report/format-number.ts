/** Formats a figure with three significant digits. */
export function formatNumber(value: number | null | undefined): string {
  if (value === undefined || value === null) return '–';
  if (value === 0) return '0';
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** An array literal of PostgreSQL, because drivers differ in how they send infinite numbers and nulls. */
export function toArray(values: Iterable<string | number | null>): string {
  return `{${Array.from(values, toElement).join(',')}}`;
}

function toElement(value: string | number | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return value.includes('"') || value.includes('\\') ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

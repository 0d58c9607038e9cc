/** An array as PostgreSQL writes it; drivers differ in what they make of infinite numbers, and of nulls. */
export function toArray(values: Iterable<string | number | null>): string {
  return `{${Array.from(values, toElement).join(',')}}`;
}

function toElement(value: string | number | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

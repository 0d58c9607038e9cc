/** JSON text that is the same for equal values: keys are sorted, items are not. `indent` as in `JSON.stringify`. */
export function canonicalJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, item: unknown) => sorted(item), indent);
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // a key such as __proto__ stays a key
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

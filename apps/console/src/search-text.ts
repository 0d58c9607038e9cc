/** The query of an address as plain texts: what people type into an address stays what it is (`?filter=status:dead`). */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The reverse, with the characters of the filter language left readable where an address may have them. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parts = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${encodeURIComponent(name)}=${encode(String(value))}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%20', '+');

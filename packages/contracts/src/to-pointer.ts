/** A path as RFC 6901 writes it: `~` and `/` in a name are written `~0` and `~1`. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

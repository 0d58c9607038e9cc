import type { StandardPath } from './standard-schema.js';

/** A path as RFC 6901 writes it: `~` and `/` in a name are written `~0` and `~1`. Its parts are keys, or hold one. */
export function toPointer(path: StandardPath): string {
  // not `path.map`: arktype's paths are a class of their own, whose constructor takes the length for a part
  return Array.from(path, (part) => {
    const key = typeof part === 'object' ? part.key : part;
    return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }).join('');
}

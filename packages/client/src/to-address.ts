import { ClientError } from './client-error.js';
import type { ClientOptions } from './client-options.js';

/** A name as a part of a path. Throws `invalid_address` for half a surrogate pair, which no address can have. */
export function toPart(name: string): string {
  try {
    return encodeURIComponent(name);
  } catch (cause) {
    throw new ClientError('invalid_address', 'The name has half a surrogate pair: nothing has such a name.', { cause });
  }
}

/**
 * Where a path of the API is, whatever the address of the API ends with. Throws `invalid_address` for a part that is `.` or
 * `..`, which `fetch` would resolve, and so ask about something else.
 */
export function toAddress({ url }: ClientOptions, path: string): string {
  const [parts = ''] = path.split(/[?#]/, 1);
  if (parts.split(/[/\\]/).some((part) => /^(\.|%2e){1,2}$/i.test(part)))
    throw new ClientError(
      'invalid_address',
      `No address leads to ${JSON.stringify(parts)}: dots alone are not a name.`,
    );
  return `${url.replace(/\/+$/, '')}${path}`;
}

import { findLostNumber } from '@duework/sql';
import { PlainError } from './plain-error.js';

/**
 * The value of a JSON text that somebody has typed. Throws what `refuse` makes of the reason where it is none, and
 * `number_not_kept` where a number in it would become another one.
 */
export function readJson(text: string, refuse: (why: string, cause: unknown) => PlainError): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuse((cause as Error).message, cause);
  }
  const lost = findLostNumber(text);
  if (lost === null) return value;
  const which = lost.length === 0 ? 'The number' : `The number at ${lost.join('.')}`;
  throw new PlainError('number_not_kept', `${which} has more digits than are kept. Write it as text: '"…"'.`);
}

import { MISTAKES } from '@duework/testing/simulation';
import { PlainError } from '../../../bootstrap/plain-error.mjs';

/** The mistake of that name, to be planted; undefined: no name was given. */
export function findMistake(name: string | undefined): (typeof MISTAKES)[string] | undefined {
  if (name === undefined) return undefined;
  const mistake = MISTAKES[name];
  if (mistake !== undefined) return mistake;
  throw new PlainError(
    `There is no mistake ${JSON.stringify(name)} to plant; there is ${Object.keys(MISTAKES).join(', ')}.`,
  );
}

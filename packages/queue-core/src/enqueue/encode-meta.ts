import { DueworkError, findUnstorableText } from '@duework/sql/errors';

/** As JSON: all of a trace's context with some baggage, and next to nothing beside a payload. */
export const META_LIMIT_BYTES = 2_048;

/** The JSON of a run's meta; null: there is none. Throws `invalid_option`, without the values. */
export function encodeMeta(meta: unknown): string | null {
  if (meta === undefined || meta === null) return null;
  const refuse = (value: string): never => {
    throw new DueworkError('invalid_option', { option: 'meta', expected: EXPECTED, value });
  };
  if (typeof meta !== 'object' || Array.isArray(meta)) return refuse(Array.isArray(meta) ? 'an array' : typeof meta);
  const entries = Object.entries(meta);
  if (entries.length === 0) return null;
  for (const [name, text] of entries) {
    if (typeof text !== 'string') return refuse(`${typeof text} as ${name}`);
    const reason = findUnstorableText(name) ?? findUnstorableText(text);
    if (reason !== null) return refuse(`a text that ${reason}`);
  }
  const json = JSON.stringify(Object.fromEntries(entries));
  const bytes = Buffer.byteLength(json);
  return bytes > META_LIMIT_BYTES ? refuse(`${bytes} bytes`) : json;
}

const EXPECTED = `an object of texts, of at most ${META_LIMIT_BYTES} bytes as JSON`;

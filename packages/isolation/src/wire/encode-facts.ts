import { inspect } from 'node:util';
import { encodeError, type WireError } from './encode-error.js';

/** The facts of a log line, each as JSON text, except that errors stay errors. */
export type WireFacts = Readonly<Record<string, { readonly json: string } | { readonly error: WireError }>>;

/** Never throws: a fact that is not JSON becomes readable text. */
export function encodeFacts(facts: object): WireFacts {
  const entries = facts instanceof Error ? [['err', facts] as const] : Object.entries(facts as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      value instanceof Error ? { error: encodeError(value) } : { json: toJson(value) },
    ]),
  );
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? JSON.stringify(inspect(value));
  } catch {
    return JSON.stringify(inspect(value, { depth: 2 }));
  }
}

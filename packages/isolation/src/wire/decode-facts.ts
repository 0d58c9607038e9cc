import { decodeError } from './decode-error.js';
import type { WireFacts } from './encode-facts.js';

/** The facts of a log line as the handler gave them. */
export function decodeFacts(facts: WireFacts): object {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      'error' in fact ? decodeError(fact.error) : (JSON.parse(fact.json) as unknown),
    ]),
  );
}

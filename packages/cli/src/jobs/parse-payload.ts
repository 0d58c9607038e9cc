import { PlainError } from '../plain-error.js';
import { readJson } from '../read-json.js';

/** A payload that was given as text. Throws `payload_not_json`. */
export const parsePayload = (given: string): unknown =>
  readJson(given, (why, cause) => new PlainError('payload_not_json', `The payload is not JSON: ${why}.`, { cause }));

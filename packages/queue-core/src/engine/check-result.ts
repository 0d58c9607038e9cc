import type { JobContract } from '@duework/contracts';
import { checkJsonShape, encodeJson } from '../encode-payload.js';
import type { Json } from '../job.js';

/**
 * Returns a result that fits its contract and can be stored. Throws `TypeError`, or the error of the contract's parser.
 */
export function checkResult(contract: JobContract, result: unknown): Json {
  const refuse = (reason: string): TypeError => new TypeError(`The result of this run cannot be stored: ${reason}.`);
  checkJsonShape(result, refuse);
  const parsed = contract.result.parse(result) as Json;
  encodeJson(parsed, refuse);
  return parsed;
}

import { parseValue, type JobContract } from '@duework/contracts';
import { checkJsonShape, encodeJson } from '../enqueue/encode-payload.js';
import type { Json } from '../queue/job.js';

/** Returns a result that fits its contract and can be stored. Throws `TypeError`, or what a rule of its schema throws. */
export function checkResult(contract: JobContract, result: unknown): Json {
  const refuse = (reason: string): TypeError => new TypeError(`The result of this run cannot be stored: ${reason}.`);
  checkJsonShape(result, refuse);
  const parsed = parseValue(contract.result, result);
  if (!parsed.success) throw refuse(parsed.issues.map((issue) => `${issue.pointer} ${issue.message}`).join('; '));
  encodeJson(parsed.data, refuse);
  return parsed.data as Json;
}

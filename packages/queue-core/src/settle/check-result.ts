import { parseValue, type JobContract } from '@duework/contracts';
import { checkJsonShape, encodeJson } from '../enqueue/encode-payload.js';
import type { Json } from '../queue/job.js';

/** Returns a result that fits its contract and can be stored. Throws `TypeError`, or what a rule of its schema throws. */
export function checkResult(contract: JobContract, result: unknown): Json {
  return checkValue(contract.result, result, (reason) => `The result of this run cannot be stored: ${reason}.`).data;
}

/** The text of a progress that fits its contract. Throws `TypeError`, or what a rule of its schema throws. */
export function encodeProgress(contract: JobContract, progress: unknown): string {
  return checkValue(contract.progress, progress, (reason) => reason).json;
}

function checkValue(
  schema: JobContract['result'],
  value: unknown,
  tell: (reason: string) => string,
): { readonly data: Json; readonly json: string } {
  const refuse = (reason: string): TypeError => new TypeError(tell(reason));
  checkJsonShape(value, refuse);
  const parsed = parseValue(schema, value);
  if (!parsed.success) throw refuse(parsed.issues.map((issue) => `${issue.pointer} ${issue.message}`).join('; '));
  return { data: parsed.data as Json, json: encodeJson(parsed.data, refuse) };
}

/** The vendor of the schema that stands where a contract declares no result. */
const ANY_JSON_VENDOR = 'duework';

/**
 * Says that a result is left out: once for each type of a worker, because a handler that returns what its library returned
 * does so each time; but each time where the contract declares the result, because then somebody wants it.
 */
export function warnOfResult(
  { toldResults }: { readonly toldResults: Set<string> },
  { type, result }: JobContract,
  log: { warn(facts: object, message: string): void },
  error: string,
): void {
  const isDeclared = result['~standard'].vendor !== ANY_JSON_VENDOR;
  if (!isDeclared && toldResults.has(type)) return;
  toldResults.add(type);
  log.warn({ error }, 'the result of this run is left out: it cannot be stored, or does not fit its contract');
}

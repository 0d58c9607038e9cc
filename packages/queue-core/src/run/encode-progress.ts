import { parseValue, type JobContract } from '@duework/contracts';
import { checkJsonShape, encodeJson } from '../enqueue/encode-payload.js';

/** The text of a progress that fits its contract. Throws `TypeError`, or what a rule of its schema throws. */
export function encodeProgress(contract: JobContract, progress: unknown): string {
  const refuse = (reason: string): TypeError => new TypeError(reason);
  checkJsonShape(progress, refuse);
  const parsed = parseValue(contract.progress, progress);
  if (!parsed.success) throw refuse(parsed.issues.map((issue) => `${issue.pointer} ${issue.message}`).join('; '));
  return encodeJson(parsed.data, refuse);
}

import { ContractError, keyOfSignal, type ParseIssue, parseValue, type SignalContract } from '@duework/contracts';
import { DueworkError } from '@duework/sql/errors';
import type { NewSignal } from '../ports/producer.js';
import { valuesOfSignal } from '../secrets/make-cleaner.js';
import { cleanValues } from '../secrets/clean-values.js';
import { sealSignal } from '../secrets/signal-values.js';
import { checkPayloadShape, encodeUpTo } from './encode-payload.js';
import { DEFAULT_PAYLOAD_LIMIT_BYTES } from './make-new-run.js';

export interface SignalOptions {
  /** Largest stored payload; default 64 KiB. */
  readonly payloadLimitBytes?: number;
}

/** The signal that a payload makes, for any store. Throws what `signal` throws. */
export function makeNewSignal(
  contract: SignalContract,
  payload: unknown,
  { payloadLimitBytes = DEFAULT_PAYLOAD_LIMIT_BYTES }: SignalOptions = {},
): NewSignal {
  const { name } = contract;
  checkPayloadShape(name, payload, payloadLimitBytes);
  const parsed = parseValue(contract.payload, payload);
  if (!parsed.success)
    throw new DueworkError('invalid_payload', { type: name, issues: cleanIssues(contract, payload, parsed.issues) });
  const refuse = (reason: string, options?: ErrorOptions): DueworkError<'payload_not_storable'> =>
    new DueworkError('payload_not_storable', { type: name, reason }, options);
  const payloadJson = encodeUpTo(name, sealSignal(contract, parsed.data), payloadLimitBytes);
  try {
    return { name, key: keyOfSignal(contract, parsed.data), payloadJson };
  } catch (error) {
    throw ContractError.is(error) ? refuse(error.message) : error;
  }
}

/** A message of a rule may quote what it refuses. */
function cleanIssues(contract: SignalContract, payload: unknown, issues: readonly ParseIssue[]): readonly ParseIssue[] {
  if (contract.sensitive.length === 0) return issues;
  const values = valuesOfSignal(contract, payload).filter(({ isSensitive }) => isSensitive);
  return issues.map(({ pointer, message }) => ({ pointer, message: cleanValues(message, values) }));
}

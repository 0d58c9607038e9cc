import { ContractError, keyOfSignal, parseValue, type SignalContract } from '@duework/contracts';
import { DueworkError } from '@duework/sql/errors';
import type { NewSignal } from '../ports/producer.js';
import { encodeJson } from './encode-payload.js';

/** The signal that a payload makes, for any store. Throws what `signal` throws. */
export function makeNewSignal(contract: SignalContract, payload: unknown): NewSignal {
  const { name } = contract;
  const parsed = parseValue(contract.payload, payload);
  if (!parsed.success) throw new DueworkError('invalid_payload', { type: name, issues: parsed.issues });
  const refuse = (reason: string, options?: ErrorOptions): DueworkError<'payload_not_storable'> =>
    new DueworkError('payload_not_storable', { type: name, reason }, options);
  const payloadJson = encodeJson(parsed.data, refuse);
  try {
    return { name, key: keyOfSignal(contract, parsed.data), payloadJson };
  } catch (error) {
    throw ContractError.is(error) ? refuse(error.message) : error;
  }
}

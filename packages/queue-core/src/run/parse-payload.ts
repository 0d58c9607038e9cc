import { readPayload, toPointer } from '@duework/contracts';
import { DueworkError } from '@duework/sql/errors';
import type { OwnedRun } from '../claim/owned-run.js';
import { unsealPayload } from '../secrets/unseal-payload.js';
import type { Ending } from '../settle/decide-settlement.js';

/**
 * The payload, decrypted and in today's shape, or how the attempt ends when it cannot be read here or the contract refuses
 * it; a contract's own rule may throw.
 */
export function parsePayload({
  run,
  contract,
}: Pick<OwnedRun, 'run' | 'contract'>): { readonly data: unknown } | Ending {
  if (run.lostNumber) return { kind: 'unreadable', why: describeLost(run.lostNumber) };
  try {
    const plain = unsealPayload(contract, run.version, run.payload);
    const payload = readPayload(contract, run.version, plain);
    if (!payload.success) return { kind: 'unreadable', why: payload.why };
    return contract.map === null ? payload : { data: contract.map(payload.data) };
  } catch (error) {
    if (DueworkError.is(error, 'key_missing')) return { kind: 'sealed', keyId: error.facts.keyId, why: error.message };
    if (DueworkError.is(error, 'payload_not_readable')) return { kind: 'undecryptable', why: error.message };
    return { kind: 'threw', error };
  }
}

const describeLost = (path: readonly string[]): string =>
  `${toPointer(path)} is a number that JavaScript would turn into another one: send it as text`;

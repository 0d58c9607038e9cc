import { canonicalJson } from '../compare/canonical-json.js';
import { isObject } from '../compare/schema-node.js';
import { ContractError } from '../contract-error.js';
import type { ContractsLock } from './contracts-lock.js';

/** The text of `contracts.lock.json`: keys sorted, two spaces, one newline at its end; equal locks have equal texts. */
export function formatLock(lock: ContractsLock): string {
  return `${canonicalJson(lock, 2)}\n`;
}

/** Reads the text of a lock, however it is formatted. Throws `ContractError` (`lock_invalid`). */
export function parseLock(text: string): ContractsLock {
  let lock: unknown;
  try {
    lock = JSON.parse(text);
  } catch (cause) {
    throw new ContractError('lock_invalid', 'The lock is not JSON. Restore the last committed one.', { cause });
  }
  if (!isObject(lock) || lock['lockVersion'] !== 1)
    throw new ContractError(
      'lock_invalid',
      'The lock has no lockVersion 1, so another program wrote it. Restore the last committed one.',
    );
  if (!isObject(lock['types']))
    throw new ContractError('lock_invalid', 'The lock has no types. Restore the last committed one.');
  for (const [type, versions] of Object.entries(lock['types'])) {
    for (const [version, locked] of Object.entries(isObject(versions) ? versions : { none: null })) {
      if (!/^[1-9]\d{0,9}$/.test(version) || !isObject(locked) || !isObject(locked['schema']))
        throw new ContractError(
          'lock_invalid',
          `The lock has no schema for version ${version} of ${type}. Restore the last committed one.`,
        );
    }
  }
  return lock as unknown as ContractsLock;
}

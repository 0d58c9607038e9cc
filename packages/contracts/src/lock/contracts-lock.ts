import type { JsonSchema } from '../describe-schema.js';

/** One version that was released. */
export interface LockedVersion {
  readonly schema: JsonSchema;
  /** Nothing is left of it, by its team's word: no contract has to read it any more. */
  readonly isRetired?: true;
}

/** Every version of every type that was ever released: what `contracts.lock.json` holds. */
export interface ContractsLock {
  readonly lockVersion: 1;
  readonly types: Readonly<Record<string, Readonly<Record<string, LockedVersion>>>>;
}

export const EMPTY_LOCK: ContractsLock = { lockVersion: 1, types: {} };

/** The versions of a type, the oldest first; none where the lock does not know it. */
export function lockedVersions(lock: ContractsLock, type: string): readonly (readonly [number, LockedVersion])[] {
  const versions = Object.hasOwn(lock.types, type) ? lock.types[type]! : {};
  return Object.entries(versions)
    .map(([version, locked]) => [Number(version), locked] as const)
    .sort(([a], [b]) => a - b);
}

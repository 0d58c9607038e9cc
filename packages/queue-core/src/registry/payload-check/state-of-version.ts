import type { JobContract } from '@duework/contracts';

/**
 * What a contract makes of a version. `read`: it knows it. Otherwise its workers leave the runs in the queue, for others:
 * the type is not in the catalog, the version is newer than its contract, or older than the first one of its past.
 */
export type VersionState = 'read' | 'unknown_type' | 'newer_version' | 'older_version';

export function stateOfVersion(contract: JobContract | undefined, version: number): VersionState {
  if (contract === undefined) return 'unknown_type';
  if (version > contract.version) return 'newer_version';
  return version < contract.oldestVersion ? 'older_version' : 'read';
}

import type { ClaimRequest } from '@duework/queue-core/ports';
import type { MemoryRun } from '../tables/memory-run.js';

/** Whether these contracts can read a run of that type and version. */
export function canRead(
  contracts: ClaimRequest['contracts'],
  { type, version }: Pick<MemoryRun, 'type' | 'version'>,
): boolean {
  const contract = contracts.get(type);
  return contract !== undefined && contract.oldestVersion <= version && version <= contract.version;
}

import { type Catalog, compareContracts, type ContractChange, type ContractsLock } from '@duework/contracts';
import { formatTable } from '../output/format-table.js';
import type { Finding } from './finding.js';

const WORDS: Readonly<Record<ContractChange['kind'], string>> = {
  new_type: 'new type',
  new_version: 'new version',
  changed_schema: 'changed schema, same version',
  changed_sensitive: 'changed sensitive values, same version',
  removed_type: 'type is gone',
  removed_version: 'version is gone',
  missing_past: 'past lacks it',
};
const CLASSES = {
  safe: 'safe',
  workers_first: 'safe for workers first',
  producers_first: 'safe for producers first',
  breaking: 'breaking',
} as const;

/** What a catalog changes of what was released. */
export function checkLock(catalog: Catalog, lock: ContractsLock): Finding {
  const changes = compareContracts(catalog, lock);
  const rows = changes.map(({ type, version, kind, class: told, isRefused, reasons }) => [
    type,
    version === null ? '' : String(version),
    WORDS[kind],
    isRefused ? 'refused' : told === null ? '' : CLASSES[told],
    isRefused ? '' : reasons.join('; '),
  ]);
  return {
    table: formatTable(['TYPE', 'VERSION', 'CHANGE', 'CLASS', 'WHY'], rows, 'The contracts are as they were released.'),
    problems: changes
      .filter(({ isRefused }) => isRefused)
      .map(({ type, version, kind, reasons }) => `${nameOf(type, version)}: ${WORDS[kind]}: ${reasons.join('; ')}.`),
  };
}

function nameOf(type: string, version: number | null): string {
  return version === null ? type : `${type} version ${version}`;
}

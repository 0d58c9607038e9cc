import { createHash } from 'node:crypto';
import { type Catalog, canonicalJson, catalogVersions, isSameSchema } from '@duework/contracts';
import { DueworkError } from '@duework/sql/errors';
import { inTransaction, type Transactable, type Queryable } from '@duework/sql';
import type { ChangedContract, ContractRow } from '../ports/upkeep.js';
import { insertContracts } from '../sql/registry/insert-contracts.js';
import { lockContractPush } from '../sql/registry/lock-contract-push.js';
import { type KnownContract, readKnownContracts } from '../sql/registry/read-known-contracts.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';

/**
 * Writes the versions of a catalog to the registry, and its job definitions, in a deploy, before its programs start.
 * Returns the versions that are new.
 * Throws `DueworkError` (`contract_changed`), having written nothing, where the registry knows another schema for a version.
 */
export function pushContracts(db: Transactable, catalog: Catalog): Promise<readonly ContractRow[]> {
  const rows = contractRows(catalog);
  return inTransaction(db, async (tx) => {
    await lockContractPush(tx);
    const { missing, changed } = hold(rows, await readKnownContracts(tx, rows));
    refuse(changed);
    if (missing.length > 0 && (await insertContracts(tx, missing)) < missing.length)
      // a worker that has just started was faster: what it has written may differ
      refuse(hold(rows, await readKnownContracts(tx, rows)).changed);
    // so that `duework.enqueue` in SQL knows a type before its first worker
    await registerDefinitions(tx, catalog);
    return missing;
  });
}

/** Throws where anything is to be refused, which also takes back what the transaction has written. */
function refuse(changed: readonly ChangedContract[]): void {
  if (changed.length > 0) throw new DueworkError('contract_changed', { changed });
}

/**
 * Writes what the registry does not know yet, when a worker starts: one statement that reads, and where something is new
 * one that writes. Returns the versions of which the registry knows another schema; they stay as they are.
 */
export async function registerSchemas(
  db: Queryable,
  rows: readonly ContractRow[],
): Promise<readonly ChangedContract[]> {
  const { missing, changed } = hold(rows, await readKnownContracts(db, rows));
  if (missing.length === 0 || (await insertContracts(db, missing)) === missing.length) return changed;
  // another program was faster: what it has written may differ
  return hold(rows, await readKnownContracts(db, rows)).changed;
}

/** The versions of a catalog, as the registry has them. */
export function contractRows(catalog: Catalog): readonly ContractRow[] {
  return catalogVersions(catalog).map(({ type, version, schema }) => ({
    type,
    version,
    schema,
    checksum: createHash('sha256').update(canonicalJson(schema)).digest('hex'),
  }));
}

function hold(
  rows: readonly ContractRow[],
  known: readonly KnownContract[],
): { missing: readonly ContractRow[]; changed: readonly ChangedContract[] } {
  const knownOf = new Map(known.map((contract) => [`${contract.type} ${contract.version}`, contract]));
  const pairs = rows.map((row) => ({ row, old: knownOf.get(`${row.type} ${row.version}`) }));
  return {
    missing: pairs.filter(({ old }) => old === undefined).map(({ row }) => row),
    changed: pairs
      .filter(({ row, old }) => old !== undefined && old.schema !== null && !isSameSchema(old.schema, row.schema))
      .map(({ row: { type, version } }) => ({ type, version })),
  };
}

import { isSameSchema } from '../compare/is-same-schema.js';
import { ContractError } from '../contract-error.js';
import type { Catalog } from '../define-catalog.js';
import { compareMarks } from '../sensitive/mark-sensitive.js';
import { catalogVersions } from './catalog-versions.js';
import { type ContractsLock, EMPTY_LOCK, type LockedVersion, lockedVersions } from './contracts-lock.js';

/**
 * The lock with every version of the catalog added; what was released before stays. `retire` names what nothing is left
 * of, as `type` or `type@version`.
 *
 * Throws `ContractError`: `schema_changed` for a schema that differs under a version that was released, or in which a value
 * is no longer sensitive;
 * `retired_in_use` for something to retire that the catalog still has, or that the lock does not know.
 */
export function lockContracts(
  catalog: Catalog,
  previous: ContractsLock = EMPTY_LOCK,
  { retire = [] }: { readonly retire?: readonly string[] } = {},
): ContractsLock {
  const types = new Map(Object.keys(previous.types).map((type) => [type, new Map(lockedVersions(previous, type))]));
  for (const { type, version, schema } of catalogVersions(catalog)) {
    const versions = types.get(type) ?? new Map<number, LockedVersion>();
    const old = versions.get(version);
    if (old !== undefined && !isSameSchema(old.schema, schema)) throw changed(type, version);
    if (old !== undefined && compareMarks(old.schema, schema).removed.length > 0) throw unmarked(type, version);
    types.set(type, versions.set(version, { schema }));
  }
  for (const name of retire) retireIn(types, catalog, name);
  return {
    lockVersion: 1,
    types: Object.fromEntries([...types].map(([type, versions]) => [type, Object.fromEntries(versions)])),
  };
}

function retireIn(types: ReadonlyMap<string, Map<number, LockedVersion>>, catalog: Catalog, name: string): void {
  const [type = '', version] = name.split('@');
  const versions = types.get(type) ?? new Map<number, LockedVersion>();
  const wanted = version === undefined ? [...versions.keys()] : [Number(version)];
  const inUse = catalogVersions(catalog).find((one) => one.type === type && wanted.includes(one.version));
  if (inUse !== undefined)
    throw new ContractError(
      'retired_in_use',
      `${name} cannot be retired: the catalog still reads version ${inUse.version}.`,
    );
  if (wanted.length === 0 || !wanted.every((one) => versions.has(one)))
    throw new ContractError('retired_in_use', `${name} cannot be retired: the lock does not know it.`);
  for (const one of wanted) versions.set(one, { ...versions.get(one)!, isRetired: true });
}

function changed(type: string, version: number): ContractError {
  return new ContractError(
    'schema_changed',
    `Version ${version} of ${type} differs from the released schema. Raise the version and keep the released schema in past; if it was never released, remove it from the lock.`,
  );
}

function unmarked(type: string, version: number): ContractError {
  return new ContractError(
    'schema_changed',
    `Version ${version} of ${type} has a value that was released as sensitive and no longer is. Waiting payloads may be encrypted there: raise the version, and keep it sensitive in past.`,
  );
}

import { closeObjects } from '../compare/close-objects.js';
import { compareSchemas } from '../compare/compare-schemas.js';
import { isSameSchema } from '../compare/is-same-schema.js';
import type { Catalog } from '../define-catalog.js';
import type { JsonSchema } from '../describe-schema.js';
import { compareMarks } from '../sensitive/mark-sensitive.js';
import { catalogVersions } from './catalog-versions.js';
import { classifyVersion, type VersionClass } from './classify-version.js';
import { type ContractsLock, lockedVersions } from './contracts-lock.js';

/** One difference between a catalog and what was released. */
export interface ContractChange {
  readonly type: string;
  /** null: the type as a whole. */
  readonly version: number | null;
  readonly kind:
    | 'new_type'
    | 'new_version'
    /** Refused: runs that are stored under the version would be read by another schema. */
    | 'changed_schema'
    /** A value became sensitive under the same version; or, which is refused, no longer is. */
    | 'changed_sensitive'
    /** Refused: the catalog has no contract of the type. */
    | 'removed_type'
    /** Refused: the contract of the catalog is older than what was released. */
    | 'removed_version'
    /** Refused: the past of the contract does not read it any more. */
    | 'missing_past';
  /** Of a new version, against the one before it; null: there is none to compare it with. */
  readonly class: VersionClass | null;
  readonly isRefused: boolean;
  /** What is different, and for what is refused, what to do. No values: paths and keywords. */
  readonly reasons: readonly string[];
}

/** What a catalog changes of what was released, by type and version. What is retired may be gone. */
export function compareContracts(catalog: Catalog, lock: ContractsLock): readonly ContractChange[] {
  const types = new Set([...catalog.map(({ type }) => type), ...Object.keys(lock.types)]);
  return [...types].sort().flatMap((type) => compareType(type, catalog, lock));
}

function compareType(type: string, catalog: Catalog, lock: ContractsLock): ContractChange[] {
  const given = new Map(
    catalogVersions(catalog.filter((contract) => contract.type === type)).map(({ version, schema }) => [
      version,
      schema,
    ]),
  );
  const locked = lockedVersions(lock, type);
  const live = locked.filter(([, { isRetired }]) => isRetired !== true);
  if (given.size === 0) return live.length === 0 ? [] : [removedType(type)];
  const known = new Map<number, JsonSchema>([
    ...locked.map(([version, { schema }]) => [version, schema] as const),
    ...given,
  ]);
  const newest = Math.max(...given.keys());
  return [...known.keys()]
    .sort((a, b) => a - b)
    .flatMap((version): ContractChange[] => {
      const [schema, old] = [given.get(version), locked.find(([one]) => one === version)?.[1]];
      if (schema === undefined) return old?.isRetired === true ? [] : [goneVersion(type, version, version > newest)];
      if (old === undefined) return [newVersion(type, version, schema, known.get(version - 1), locked.length === 0)];
      if (!isSameSchema(old.schema, schema)) return [changedSchema(type, version, old.schema, schema)];
      return changedSensitive(type, version, old.schema, schema);
    });
}

function newVersion(
  type: string,
  version: number,
  schema: JsonSchema,
  before: JsonSchema | undefined,
  isNewType: boolean,
): ContractChange {
  const compared = before === undefined ? { class: null, reasons: [] } : classifyVersion(before, schema);
  return { type, version, kind: isNewType ? 'new_type' : 'new_version', isRefused: false, ...compared };
}

function changedSchema(type: string, version: number, before: JsonSchema, after: JsonSchema): ContractChange {
  const [oldFits, newFits] = [compareSchemas(closeObjects(before), after), compareSchemas(closeObjects(after), before)];
  const differences = [oldFits, newFits].flatMap((fits) =>
    fits.answer === 'yes' ? [] : [`${fits.pointer || '/'} ${fits.why}`],
  );
  const what = differences.length === 0 ? ['a default or what happens to undeclared keys'] : [...new Set(differences)];
  return refuse(type, version, 'changed_schema', [
    ...what,
    `raise the version to ${version + 1} and keep this schema in past; if version ${version} was never released, take it out of the lock`,
  ]);
}

function changedSensitive(type: string, version: number, before: JsonSchema, after: JsonSchema): ContractChange[] {
  const { added, removed } = compareMarks(before, after);
  if (removed.length > 0)
    return [
      refuse(type, version, 'changed_sensitive', [
        ...removed.map((place) => `${place} is no longer sensitive`),
        `payloads that wait may be encrypted there: raise the version to ${version + 1}, and keep it sensitive in past`,
      ]),
    ];
  const reasons = added.map((place) => `${place} is sensitive now`);
  return added.length === 0
    ? []
    : [{ type, version, kind: 'changed_sensitive', class: null, isRefused: false, reasons }];
}

function removedType(type: string): ContractChange {
  return refuse(type, null, 'removed_type', [
    `give its contract back; or, once no run and no schedule of it is left: duework contracts lock --retire ${type}`,
  ]);
}

function goneVersion(type: string, version: number, isNewer: boolean): ContractChange {
  return isNewer
    ? refuse(type, version, 'removed_version', ['the catalog is older than what was released: raise its version'])
    : refuse(type, version, 'missing_past', [
        `give it back to past; or, once no run and no schedule of it is left: duework contracts lock --retire ${type}@${version}`,
      ]);
}

function refuse(
  type: string,
  version: number | null,
  kind: ContractChange['kind'],
  reasons: readonly string[],
): ContractChange {
  return { type, version, kind, class: null, isRefused: true, reasons };
}

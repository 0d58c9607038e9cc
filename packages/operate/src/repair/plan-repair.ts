import { judgeSchema } from '../doctor/checks/judge-schema.js';
import { expectedSchema } from '../doctor/generated/expected-schema.js';
import type { Kind, SchemaThing } from '../doctor/sql/describe-schema.js';

/** The SQL that makes a schema as the migrations make it. None of it drops a table, a column or a row. */
export interface Repair {
  /** Run in this order, in one transaction. */
  readonly statements: readonly string[];
  /** Run after that, each on its own, because it would stop others: indexes are built CONCURRENTLY, constraints validated. */
  readonly apart: readonly string[];
  /** What no statement repairs, in sentences: tables that are gone, columns of another type, what others have added. */
  readonly left: readonly string[];
}

type Repaired = Partial<Omit<Repair, 'left'>> | null;
interface Difference {
  readonly thing: SchemaThing;
  /** null: it is not there. */
  readonly actual: SchemaThing | null;
}

/** In which order kinds are repaired: what others are made of first. */
const ORDER: readonly (readonly Kind[])[] = [
  ['table'],
  ['column'],
  ['function', 'view'],
  ['trigger'],
  ['constraint'],
  ['index'],
  ['sequence'],
];

/**
 * Says how to repair what differs. `sources`: all statements of the migrations, in their order, for what the doctor knows by a
 * checksum only.
 */
export function planRepair(
  live: readonly SchemaThing[],
  sources: readonly string[],
  expected: readonly SchemaThing[] = expectedSchema.things,
): Repair {
  const has = new Map(live.map((thing) => [keyOf(thing), thing]));
  const differences = expected
    .map((thing) => ({ thing, actual: has.get(keyOf(thing)) ?? null }))
    .filter(({ thing, actual }) => actual?.definition !== thing.definition);
  const statements: string[] = [];
  const apart: string[] = [];
  const repaired = new Set<string>();
  const texts = sources.map(withoutComments);
  for (const kinds of ORDER) {
    const ofKinds = differences.filter(({ thing }) => kinds.includes(thing.kind));
    for (const difference of inSourceOrder(ofKinds, texts)) {
      const by = REPAIR[difference.thing.kind](difference, { texts, has, expected });
      if (by === null) continue;
      repaired.add(keyOf(difference.thing));
      statements.push(...(by.statements ?? []));
      apart.push(...(by.apart ?? []));
    }
  }
  const left = judgeSchema(live, expected).filter(({ about }) => !repaired.has(about));
  return { statements: [...new Set(statements)], apart, left: left.map(({ sentence }) => sentence) };
}

const keyOf = ({ kind, name }: Pick<SchemaThing, 'kind' | 'name'>): string => `${kind} ${name}`;

interface Around {
  readonly texts: readonly string[];
  readonly has: ReadonlyMap<string, SchemaThing>;
  readonly expected: readonly SchemaThing[];
}

const REPAIR: Record<Kind, (difference: Difference, around: Around) => Repaired> = {
  table: repairStorage,
  column: (difference, around) => (isOfTable(difference, around) ? repairColumn(difference) : null),
  function: ({ thing, actual }, { texts }) => {
    const found = texts.filter((text) => makes('FUNCTION', nameOf(thing)).test(text));
    if (found.length === 0) return null;
    const isOwners = actual === null && found.some((text) => /\bSECURITY DEFINER\b/.test(text));
    return {
      statements: [
        ...found.map((text) => orReplace(text)),
        ...(isOwners ? [`REVOKE ALL ON FUNCTION duework.${thing.name} FROM PUBLIC`] : []),
      ],
    };
  },
  view: ({ thing }, { texts }) => {
    const found = texts.findLast((text) => makes('VIEW', thing.name).test(text));
    return found === undefined ? null : { statements: [orReplace(found)] };
  },
  trigger: (difference, around) => {
    const [table, name] = difference.thing.name.split('.') as [string, string];
    const pattern = new RegExp(`^CREATE (CONSTRAINT )?TRIGGER ${name}\\s[^;]*?\\sON duework\\.${table}\\s`);
    const found = around.texts.findLast((text) => pattern.test(text));
    if (found === undefined || !isOfTable(difference, around)) return null;
    return { statements: [`DROP TRIGGER IF EXISTS ${name} ON duework.${table}`, found] };
  },
  constraint: (difference, around) => (isOfTable(difference, around) ? repairConstraint(difference) : null),
  index: repairIndex,
  sequence: () => null,
};

/** What is made first comes first: a view may read another one, and a function return its rows. */
function inSourceOrder(differences: readonly Difference[], texts: readonly string[]): readonly Difference[] {
  const at = ({ thing }: Difference): number =>
    texts.findLastIndex((text) => makes(thing.kind === 'view' ? 'VIEW' : 'FUNCTION', nameOf(thing)).test(text));
  return differences.toSorted((one, other) => at(one) - at(other));
}

const nameOf = ({ name }: SchemaThing): string => name.replace(/\(.*/, '');
const makes = (what: string, name: string): RegExp =>
  new RegExp(`^CREATE (OR REPLACE )?${what} duework\\.${name}[\\s(]`);
const orReplace = (text: string): string => text.replace(/^CREATE (OR REPLACE )?/, 'CREATE OR REPLACE ');
const withoutComments = (text: string): string => text.replace(/^(\s|--[^\n]*\n)+/, '');

/** A table that is gone is not made of its columns. */
const isOfTable = ({ thing }: Difference, { has }: Around): boolean => has.has(`table ${thing.name.split('.')[0]}`);

/** What is stored how: `TABLE PARTITION BY … WITH (a=1, b=2)`. */
function repairStorage({ thing, actual }: Difference): Repaired {
  if (actual === null) return null;
  const [wants, is] = [thing, actual].map(({ definition }) => /^([^]*?)(?: WITH \(([^]*)\))?$/.exec(definition)!);
  if (wants![1] !== is![1]) return null;
  const [set, was] = [wants, is].map((one) => (one![2] ?? '').split(', ').filter((option) => option !== ''));
  const named = new Set(set!.map((option) => option.split('=')[0]));
  const gone = was!.map((option) => option.split('=')[0]!).filter((name) => !named.has(name));
  return {
    statements: [
      ...(gone.length > 0 ? [`ALTER TABLE duework.${thing.name} RESET (${gone.join(', ')})`] : []),
      ...(set!.length > 0 ? [`ALTER TABLE duework.${thing.name} SET (${set!.join(', ')})`] : []),
    ],
  };
}

/** `bigint NOT NULL IDENTITY a DEFAULT 1` */
const COLUMN = /^(.*?)( NOT NULL)?( IDENTITY [ad])?(?: DEFAULT ([^]*))?$/;

function repairColumn({ thing, actual }: Difference): Repaired {
  const [table, column] = thing.name.split('.') as [string, string];
  const [, type, required, identity, value] = COLUMN.exec(thing.definition)!;
  const alter = `ALTER TABLE duework.${table}`;
  if (actual === null) {
    if (identity !== undefined) return null;
    const rest = `${required ?? ''}${value === undefined ? '' : ` DEFAULT ${value}`}`;
    return { statements: [`${alter} ADD COLUMN ${quoteName(column)} ${type}${rest}`] };
  }
  const [, isType, isRequired, isIdentity, isValue] = COLUMN.exec(actual.definition)!;
  if (type !== isType || identity !== isIdentity) return null;
  const change = (what: string): string => `${alter} ALTER COLUMN ${quoteName(column)} ${what}`;
  return {
    statements: [
      ...(value === isValue ? [] : [change(value === undefined ? 'DROP DEFAULT' : `SET DEFAULT ${value}`)]),
      ...(required === isRequired ? [] : [change(required === undefined ? 'DROP NOT NULL' : 'SET NOT NULL')]),
    ],
  };
}

const quoteName = (name: string): string => `"${name}"`;

function repairConstraint({ thing, actual }: Difference): Repaired {
  const [table, name] = thing.name.split('.') as [string, string];
  const alter = `ALTER TABLE duework.${table}`;
  const validate = `${alter} VALIDATE CONSTRAINT ${name}`;
  if (actual?.definition === `${thing.definition} NOT VALID`) return { apart: [validate] };
  const isCheck = thing.definition.startsWith('CHECK');
  return {
    statements: [
      ...(actual === null ? [] : [`${alter} DROP CONSTRAINT ${name}`]),
      `${alter} ADD CONSTRAINT ${name} ${thing.definition}${isCheck ? ' NOT VALID' : ''}`,
    ],
    apart: isCheck ? [validate] : [],
  };
}

function repairIndex({ thing, actual }: Difference, { expected, has }: Around): Repaired {
  const [, table] = / ON (?:ONLY )?duework\.(\w+)/.exec(thing.definition)!;
  if (!has.has(`table ${table}`)) return null;
  const isOfParts = expected.some(
    ({ kind, name, definition }) => kind === 'table' && name === table && definition.includes('PARTITION BY'),
  );
  const drop = actual === null ? [] : [`DROP INDEX ${isOfParts ? '' : 'CONCURRENTLY '}IF EXISTS duework.${thing.name}`];
  // PostgreSQL builds none of a partitioned table concurrently
  if (isOfParts) return { statements: [...drop, thing.definition] };
  return { apart: [...drop, thing.definition.replace(/^CREATE (UNIQUE )?INDEX /, '$&CONCURRENTLY ')] };
}

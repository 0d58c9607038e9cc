import { expectedSchema } from '../generated/expected-schema.js';
import { found, type Finding } from '../findings.js';
import type { Kind, SchemaThing } from '../sql/describe-schema.js';

const keyOf = ({ kind, name }: SchemaThing): string => `${kind} ${name}`;

/** The table of a column, a constraint or a trigger: `job_runs` of `job_runs.payload`. */
const tableOf = ({ kind, name }: SchemaThing): string | null =>
  kind === 'column' || kind === 'constraint' || kind === 'trigger' ? name.slice(0, name.indexOf('.')) : null;

/**
 * What a live schema lacks, has otherwise or has besides what the migrations make. A table that is gone, or that nobody
 * made, is told once and not for each of its columns. Indexes that nobody made belong to `judgeIndexes`.
 */
export function judgeSchema(
  live: readonly SchemaThing[],
  expected: readonly SchemaThing[] = expectedSchema.things,
): Finding[] {
  const [has, wants] = [live, expected].map((things) => new Map(things.map((thing) => [keyOf(thing), thing]))) as [
    Map<string, SchemaThing>,
    Map<string, SchemaThing>,
  ];
  const isTold = (thing: SchemaThing, elsewhere: Map<string, SchemaThing>): boolean =>
    !elsewhere.has(keyOf(thing)) && (tableOf(thing) === null || elsewhere.has(`table ${tableOf(thing)}`));
  return [
    ...expected.filter((thing) => isTold(thing, has)).map(missing),
    ...expected.flatMap((thing) => {
      const actual = has.get(keyOf(thing));
      return actual === undefined || actual.definition === thing.definition ? [] : [changed(thing, actual)];
    }),
    ...live.filter((thing) => thing.kind !== 'index' && isTold(thing, wants)).map(added),
  ];
}

const FROM_MIGRATIONS = 'Run npx duework migrate --repair, which prints the SQL that makes it as the migrations do';

/** Whether the definition is text for people, and not a checksum. */
const isReadable = (kind: Kind): boolean => kind !== 'function' && kind !== 'view';

function missing(thing: SchemaThing): Finding {
  const table = tableOf(thing);
  const fix =
    thing.kind === 'index'
      ? `Run: ${thing.definition};`
      : thing.kind === 'constraint'
        ? `Run: ALTER TABLE duework.${table} ADD CONSTRAINT ${thing.name.slice(table!.length + 1)} ${thing.definition};`
        : `${FROM_MIGRATIONS}, or restore it from a backup.`;
  return found('schema_missing', keyOf(thing), `The ${keyOf(thing)} of the migrations is not there.`, fix);
}

function changed(expected: SchemaThing, actual: SchemaThing): Finding {
  const sentence = isReadable(expected.kind)
    ? `The ${keyOf(expected)} is ${shorten(actual.definition)}; the migrations make it ${shorten(expected.definition)}.`
    : `The ${keyOf(expected)} is not the one that the migrations make.`;
  return found('schema_changed', keyOf(expected), sentence, `${FROM_MIGRATIONS}.`);
}

function added(thing: SchemaThing): Finding {
  return found(
    'schema_added',
    keyOf(thing),
    `The ${keyOf(thing)} is in the schema duework, and no migration of this release made it.`,
    'Move it to a schema of yours, or drop it: a later migration may want its name.',
  );
}

const shorten = (text: string): string => (text.length > 160 ? `${text.slice(0, 159)}…` : text);

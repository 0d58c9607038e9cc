import { explainRefusal } from './explain-refusal.js';
import { recogniseClient } from '../clients/recognise-client.js';
import type { Queryable, Statement } from './queryable.js';
import { Shape, ShapePath } from './shape.js';
import { squeezeSql } from './squeeze-sql.js';

export type { Queryable, Statement } from './queryable.js';

/** A statement, or a piece of one: its texts, which all that are made in the same way share, and its own values. */
export class Sql {
  constructor(
    readonly shape: Shape,
    readonly values: readonly unknown[],
  ) {}
}

const paths = new WeakMap<readonly string[], ShapePath>();

/**
 * A statement or a piece of one, from squeezed text; a value that is a piece becomes part of the text. The text is put
 * together when its template is first used with such pieces, so that a statement which is sent often costs no more than
 * its values.
 */
export function sql(texts: readonly string[], ...values: readonly unknown[]): Sql {
  let path = paths.get(texts);
  if (path === undefined) paths.set(texts, (path = new ShapePath()));
  let flat: unknown[] | null = null;
  for (let place = 0; place < values.length; place++) {
    const value = values[place];
    if (value instanceof Sql) {
      path = path.through(place, value.shape);
      flat ??= values.slice(0, place);
      for (const inner of value.values) flat.push(inner);
    } else if (flat !== null) flat.push(value);
  }
  path.shape ??= toShape(squeezeSql(texts), values);
  return new Sql(path.shape, flat ?? values);
}

/** The piece without text. */
export const empty: Sql = sql``;

const separators = new Map<string, readonly string[]>();

/** Parts, at least one, with a separator between them. */
export function join(parts: readonly unknown[], separator: string): Sql {
  const key = `${parts.length} ${separator}`;
  let texts = separators.get(key);
  if (texts === undefined) {
    texts = ['', ...Array<string>(parts.length - 1).fill(separator), ''];
    separators.set(key, texts);
  }
  return sql(texts, ...parts);
}

/** As `join`, of parts that somebody outside chooses, in any number of forms: nothing of it is remembered. */
export function compose(parts: readonly Sql[], separator: string): Sql {
  const texts = ['', ...Array<string>(parts.length - 1).fill(separator), ''];
  return new Sql(
    toShape(texts, parts),
    parts.flatMap(({ values }) => values),
  );
}

/**
 * The rows of a statement, with the type that its SELECT list promises. Throws `unknown_client`, `not_migrated` where
 * the database is older than this program, and `permission_denied` where its role may not send it.
 */
export async function queryRows<TRow>(db: Queryable, statement: Sql): Promise<TRow[]> {
  const client = recogniseClient(db);
  const sent = toStatement(statement);
  try {
    return await client.$queryRaw<TRow[]>(sent);
  } catch (error) {
    throw await explainRefusal(client, sent, error);
  }
}

export function toStatement({ shape: { strings, text }, values }: Sql): Statement {
  return { strings, values, text, sql: text, statement: text };
}

function toShape(texts: readonly string[], values: readonly unknown[]): Shape {
  const strings = [texts[0]!];
  const append = (text: string): void => void (strings[strings.length - 1] += text);
  values.forEach((value, place) => {
    const [first, ...others] = value instanceof Sql ? value.shape.strings : ['', ''];
    append(first!);
    strings.push(...others);
    append(texts[place + 1]!);
  });
  return new Shape(strings);
}

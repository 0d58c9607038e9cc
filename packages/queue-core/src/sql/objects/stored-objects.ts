import { queryRows, sql, toArray, type Queryable } from '@duework/sql';

/** Writes a part of an object. It is sent as text, because drivers differ in how they send bytes. */
export async function putPart(db: Queryable, key: string, part: number, content: Buffer): Promise<void> {
  await queryRows(
    db,
    sql`SELECT duework.put_object(${key}::text, ${part}::integer, decode(${content.toString('base64')}::text, 'base64'))::text`,
  );
}

/** A part of an object; null: there is none of this number. */
export async function readPart(db: Queryable, key: string, part: number): Promise<Buffer | null> {
  const [row] = await queryRows<{ content: string }>(
    db,
    sql`SELECT encode(o.content, 'base64') AS content FROM duework.stored_objects AS o
      WHERE o.object_key = ${key}::text AND o.part = ${part}::integer`,
  );
  return row === undefined ? null : Buffer.from(row.content, 'base64');
}

export async function deleteObjects(db: Queryable, keys: readonly string[]): Promise<void> {
  await queryRows(
    db,
    sql`DELETE FROM duework.stored_objects AS o WHERE o.object_key = ANY (${toArray(keys)}::text::text[]) RETURNING o.part`,
  );
}

/** The next objects behind a key whose keys begin with `prefix`, in their order. */
export async function listObjects(
  db: Queryable,
  prefix: string,
  after: string,
): Promise<readonly { readonly key: string; readonly putAtMs: number }[]> {
  return queryRows(
    db,
    sql`SELECT o.object_key AS key, date_part('epoch', o.put_at) * 1000 AS "putAtMs" FROM duework.stored_objects AS o
      WHERE o.part = 0 AND o.object_key > ${after}::text AND starts_with(o.object_key, ${prefix}::text)
      ORDER BY o.object_key LIMIT 1000`,
  );
}

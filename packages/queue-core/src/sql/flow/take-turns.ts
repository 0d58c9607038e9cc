import { queryRows, sql, type Queryable } from '@duework/sql';

/** Lets up to `room` runs of a queue go on whose tenants wait for their turn. */
export async function takeTurns(db: Queryable, queue: string, room: number): Promise<void> {
  await queryRows(db, sql`SELECT duework.take_turns(${queue}::text, ${room}::integer)::text AS taken`);
}

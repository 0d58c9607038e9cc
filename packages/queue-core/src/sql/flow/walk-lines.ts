import { queryRows, sql, type Queryable } from '@duework/sql';

/** What is walked over, and what is done there; each says more in its function. */
const WALKS = {
  idleKeys: sql`duework.prune_flow_keys`,
  staleWaits: sql`duework.prune_flow_waits`,
  staleLooks: sql`duework.prune_flow_looks`,
  lostPlaces: sql`duework.find_lost_places`,
  forgottenKeys: sql`duework.find_forgotten_keys`,
};

/** Does its part on the `most` rows behind `after` (null: from the beginning); returns where to go on, null at the end. */
export async function walkLines(
  db: Queryable,
  walk: keyof typeof WALKS,
  after: string | null,
  most: number,
): Promise<string | null> {
  const [row] = await queryRows<{ next: string | null }>(
    db,
    sql`SELECT ${WALKS[walk]}(${after}::text, ${most}::integer) AS next`,
  );
  return row!.next;
}

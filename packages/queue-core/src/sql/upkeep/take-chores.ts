import { RESCUE, type AskedChore, type ChangedSlots, type TakenChores } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** `identity`: what the database has from when it was made to when it is dropped. */
export interface ChoresOfDatabase extends TakenChores {
  readonly identity: string | null;
}

/** Takes chores, and looks for lost work where that is one of them. The function in the database says when and how. */
export async function takeChores(db: Queryable, asked: readonly AskedChore[]): Promise<ChoresOfDatabase> {
  const [row] = await queryRows<{
    taken: string[];
    is_over: boolean | null;
    missing: string[] | null;
    now_ms: number;
    identity: string | null;
    slots: string | null;
  }>(
    db,
    sql`SELECT taken, is_over, missing, now_ms, identity, slots::text FROM duework.take_chores(${JSON.stringify(asked)}::text::jsonb)`,
  );
  const { taken, is_over: hasExpired, missing, now_ms: nowMs, identity, slots } = row!;
  const lost = missing === null ? null : { hasExpired: hasExpired === true, missing };
  return { taken, nowMs, identity, lost, slots: JSON.parse(slots ?? '{}') as ChangedSlots };
}

/** Looks for lost work at once, whoever has done so just now. */
export async function lookForLost(db: Queryable): Promise<ChoresOfDatabase> {
  return takeChores(db, [{ name: RESCUE, everyMs: 0 }]);
}

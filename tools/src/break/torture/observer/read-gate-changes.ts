import type { DirectSession } from '../servers/open-direct.js';
import type { GateChange } from './evidence.js';

interface Row {
  readonly at: number;
  readonly beganAt: number;
  readonly tx: string;
  readonly run: string;
  readonly oldStatus: string | null;
  readonly oldHeld: string | null;
  readonly newStatus: string | null;
  readonly newHeld: string | null;
  readonly runAt: number | null;
  readonly gates: readonly string[] | null;
  readonly units: readonly number[] | null;
}

/** What the witness of gates has seen, in the order of the commits. */
export async function readGateChanges(direct: DirectSession, offsetMs: number): Promise<GateChange[]> {
  const monotonic = (time: string): string => `extract(epoch FROM ${time})::float8 * 1000 - ${offsetMs}`;
  const rows = await direct.query<Row>(`
    SELECT ${monotonic('pg_xact_commit_timestamp(tx::xid)')} AS at, ${monotonic('began_at')} AS "beganAt", tx::text AS tx,
      run_id::text AS run, old_status AS "oldStatus", old_held AS "oldHeld", new_status AS "newStatus", new_held AS "newHeld",
      ${monotonic('run_at')} AS "runAt", gates, units
    FROM torture.gated ORDER BY 1, tx, seq`);
  return rows.map(({ at, beganAt, tx, run, gates, units, ...row }) => ({
    at,
    beganAt,
    tx,
    run,
    from: row.oldStatus === null ? null : { status: row.oldStatus, heldBy: row.oldHeld },
    to: row.newStatus === null ? null : { status: row.newStatus, heldBy: row.newHeld, runAt: row.runAt ?? at },
    gates: gates?.map((key, place) => ({ key, units: units?.[place] ?? 1 })) ?? null,
  }));
}

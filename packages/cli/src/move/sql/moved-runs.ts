import type { Act } from '@duework/queue-core';
import { havePassed, insertAudit, passGates } from '@duework/queue-core/internals';
import { FAILED_BEFORE_MOVE } from '@duework/shards';
import { isoText, queryRows, sql, type Queryable, type Sql } from '@duework/sql';

export interface Charged {
  readonly id: string;
  readonly attempts: number;
  readonly at: string;
  readonly type: string | null;
  readonly message: string;
}

/** Gives runs that were written in this transaction the attempts that they have behind them, and what failed. */
export async function chargeRuns(tx: Queryable, charged: readonly Charged[]): Promise<void> {
  await queryRows(
    tx,
    sql`
    UPDATE duework.job_runs AS j
    SET attempts = x.attempts, status = 'failed', failed_at = x.at, error_code = ${FAILED_BEFORE_MOVE}::text, error_type = x.type, last_error = x.message
    FROM jsonb_to_recordset(${JSON.stringify(charged)}::text::jsonb) AS x (
      id bigint, attempts integer, at timestamptz, type text, message text
    )
    WHERE j.id = x.id`,
  );
}

/** Writes into the audit how many jobs a transaction has moved. */
export async function auditMove(
  tx: Queryable,
  verb: 'move_here' | 'move_back',
  {
    act,
    system,
    name,
    jobs,
  }: { readonly act: Act; readonly system: string; readonly name: string; readonly jobs: number },
): Promise<void> {
  await queryRows(
    tx,
    insertAudit(act, {
      verb,
      kind: 'move',
      target: sql`${`${system}: ${name}`.slice(0, 255)}::text`,
      before: sql`NULL::jsonb`,
      after: sql`jsonb_build_object('jobs', ${jobs}::integer)`,
      from: sql`(SELECT) AS x`,
    }),
  );
}

export interface WaitingRun {
  readonly id: string;
  readonly version: number;
  readonly payload: string;
  readonly runAt: string;
  readonly priority: number;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly error: string | null;
  readonly meta: string | null;
}

/** The next ids of a type that wait, behind `after`. */
export const listWaiting = (db: Queryable, type: string, after: string, limit: number): Promise<{ id: string }[]> =>
  queryRows(
    db,
    sql`
    SELECT j.id::text AS id FROM duework.job_runs AS j
    WHERE j.job_type = ${type}::text AND j.status <> 'running' AND j.id > ${after}::text::bigint
    ORDER BY j.id LIMIT ${limit}::integer`,
  );

/** Those of a type that came dead from this system. */
export const listDeadOf = (db: Queryable, type: string, system: string): Promise<{ id: string }[]> =>
  queryRows(
    db,
    sql`
    SELECT h.id::text AS id FROM duework.job_history_dead AS h
    WHERE h.job_type = ${type}::text AND h.meta ->> 'movedFrom' = ${system}::text AND h.error_code = ${FAILED_BEFORE_MOVE}::text
    ORDER BY h.id`,
  );

const columns = sql`j.id::text AS id, j.job_version AS version, j.payload::text AS payload, ${isoText(sql`j.run_at`)} AS "runAt", j.priority,
      j.attempts, j.max_attempts AS "maxAttempts", j.last_error AS error, j.meta::text AS meta`;

/**
 * Locks runs that wait, without those to which something here is tied: a batch, a parent, steps that were taken, and effects,
 * which only this database knows of.
 */
export const lockWaiting = (tx: Queryable, ids: readonly string[]): Promise<WaitingRun[]> =>
  queryRows(
    tx,
    sql`
    SELECT ${columns} FROM duework.job_runs AS j
    WHERE j.id = ANY (${[...ids]}::text[]::bigint[]) AND j.status <> 'running'
      AND (j.terms IS NULL OR j.terms - ARRAY['expiresAt', 'retryUntil', 'onExpired', 'onDead', 'maxWaitMs'] = '{}')
      AND NOT EXISTS (SELECT FROM duework.job_steps AS s WHERE s.run_id = j.id)
      AND NOT EXISTS (SELECT FROM duework.job_effects AS e WHERE e.run_id = j.id AND e.status <> 'undone')
    ORDER BY j.id FOR UPDATE SKIP LOCKED`,
  );

export const lockDead = (tx: Queryable, ids: readonly string[]): Promise<WaitingRun[]> =>
  queryRows(
    tx,
    sql`
    SELECT ${columns} FROM duework.job_history_dead AS j
    WHERE j.id = ANY (${[...ids]}::text[]::bigint[])
      -- its objects are kept for jobs of this database alone
      AND NOT coalesce(j.terms ? 'hasObjects', false)
    ORDER BY j.id FOR UPDATE SKIP LOCKED`,
  );

/** Removes runs that are elsewhere now, with their keys and attempts; whoever waits at their gates is looked at. */
export async function removeRuns(tx: Queryable, ids: readonly string[]): Promise<void> {
  await queryRows(
    tx,
    sql`
    WITH r AS (
      DELETE FROM duework.job_runs AS j WHERE j.id = ANY (${[...ids]}::text[]::bigint[]) RETURNING j.*
    ),
    tried AS (DELETE FROM duework.job_attempts AS a WHERE a.run_id = ANY (${[...ids]}::text[]::bigint[])),
    dead AS (DELETE FROM duework.job_history_dead AS h WHERE h.id = ANY (${[...ids]}::text[]::bigint[])),
    keys AS (
      DELETE FROM duework.job_keys AS k USING r
      -- a forward has the key of the job that it carries
      WHERE k.job_type IN (r.job_type, r.payload #>> '{run,type}') AND k.key = r.idempotency_key AND k.run_id = r.id
    ),
    ${passGates(null, sql`r`)}
    SELECT WHERE ${havePassed}`,
  );
}

export interface TakenForward {
  readonly id: string;
  readonly run: string;
  readonly createdAtMs: number;
}

const forwardsTo = (to: string, type: string): Sql => sql`j.job_type = 'duework_forward'
      AND j.payload ->> 'to' = ${to}::text AND j.payload #>> '{run,type}' = ${type}::text`;

/** Whether there are forwards of a type to a target. */
export async function hasForwards(db: Queryable, to: string, type: string): Promise<boolean> {
  const rows = await queryRows(db, sql`SELECT 1 FROM duework.job_runs AS j WHERE ${forwardsTo(to, type)} LIMIT 1`);
  return rows.length > 0;
}

/** Locks those that no worker has. */
export const lockForwards = (tx: Queryable, to: string, type: string, limit: number): Promise<TakenForward[]> =>
  queryRows(
    tx,
    sql`
    SELECT j.id::text AS id, (j.payload -> 'run')::text AS run,
      floor(extract(epoch FROM j.created_at) * 1000)::float8 AS "createdAtMs"
    FROM duework.job_runs AS j
    WHERE ${forwardsTo(to, type)} AND j.status <> 'running'
    ORDER BY j.id LIMIT ${limit}::integer FOR UPDATE SKIP LOCKED`,
  );

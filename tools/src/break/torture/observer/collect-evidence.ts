import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DirectSession } from '../servers/open-direct.js';
import type {
  Change,
  Collected,
  DecidedDueTime,
  Effect,
  FinalBatch,
  FinalJob,
  GateChange,
  GateRule,
  Payment,
  StepChange,
  Workflows,
} from './evidence.js';
import type { HistoryEvent } from './history-events.js';

/** What the witness and the tables know of workflows and batches. */
async function collectWorkflows(direct: DirectSession, sampleEvery: number): Promise<Workflows> {
  return {
    stepChanges: await direct.query<StepChange>(`
      SELECT run_id::text AS run, name, old_status AS "from", new_status AS "to", has_changed AS "hasChanged"
      FROM torture.steps ORDER BY seq`),
    bookings: await direct.query<{ run: string }>(
      `SELECT run_id::text AS run FROM torture.bookings WHERE run_id % ${sampleEvery} = 0`,
    ),
    returned: await direct.query<Payment & { run: string }>(`
      SELECT id::text AS run, (payload ->> 'n')::int AS n, (result ->> 'amount')::int AS amount
      FROM duework.job_history WHERE job_type = 'trip' AND status = 'succeeded'`),
    sent: await direct.query<Payment>('SELECT n, amount FROM torture.signals'),
    received: await direct.query<Payment>(`
      SELECT (result ->> 'n')::int AS n, (result ->> 'amount')::int AS amount
      FROM duework.job_steps WHERE awaits = 'signal' AND jsonb_typeof(result) = 'object'`),
    kept: await direct.query<Payment>(
      `SELECT (payload ->> 'n')::int AS n, (payload ->> 'amount')::int AS amount FROM duework.job_signals`,
    ),
    begun: await direct.query<{ id: string }>('SELECT id FROM torture.batches'),
    batches: await direct.query<FinalBatch>(`
      SELECT b.id, b.settled_at IS NOT NULL AS "isSettled",
        jsonb_build_object('jobs', b.jobs, 'succeeded', b.succeeded, 'dead', b.dead, 'cancelled', b.cancelled) AS told,
        m.found, m.died, ARRAY(
          SELECT t.payload ->> 'moment' FROM duework.jobs AS t WHERE t.job_type = 'told' AND t.payload ->> 'of' = b.id ORDER BY 1
        ) AS callbacks
      FROM duework.job_batches AS b, LATERAL (
        SELECT jsonb_build_object('jobs', count(*), 'succeeded', count(*) FILTER (WHERE h.status = 'succeeded'),
          'dead', count(*) FILTER (WHERE h.status = 'dead'), 'cancelled', count(*) FILTER (WHERE h.status = 'cancelled')) AS found,
          count(*) FILTER (WHERE h.status = 'dead' OR EXISTS (
            SELECT FROM torture.changes AS c WHERE c.run_id = j.run_id AND c.place = 'final' AND c.new_status = 'dead'
          ))::int AS died
        FROM duework.job_batch_jobs AS j LEFT JOIN duework.job_history AS h ON h.id = j.run_id
        WHERE j.batch_id = b.id
      ) AS m`),
  };
}

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
async function readGateChanges(direct: DirectSession, offsetMs: number): Promise<GateChange[]> {
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

/** Each line has the shape that its file promises. */
const readLines = <T extends object>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

interface CollectOptions {
  readonly dir: string;
  readonly direct: DirectSession;
  /** To add to a time of the history for the date, in ms. */
  readonly offsetMs: number;
  readonly sampleEvery: number;
}

/**
 * Collects all evidence on one clock (milliseconds of the monotonic one): what each process wrote down, the ledger of
 * effects, what the witness saw, and what the tables hold at the end.
 */
export async function collectEvidence({ dir, direct, offsetMs, sampleEvery }: CollectOptions): Promise<Collected> {
  return {
    ...(await collectWorkflows(direct, sampleEvery)),
    events: readHistory(dir),
    effects: readLines<Effect>(join(dir, 'effects.jsonl')),
    changes: await direct.query<Change>(`
      SELECT extract(epoch FROM at)::float8 * 1000 - ${offsetMs} AS at, tx, run_id::text AS run, place, old_status AS "from", new_status AS "to",
        old_fence::float8 AS "oldFence", new_fence::float8 AS "newFence", old_worker AS "oldWorker", new_worker AS "newWorker"
      FROM torture.changes ORDER BY seq`),
    gateChanges: await readGateChanges(direct, offsetMs),
    gateRules: await direct.query<GateRule>(
      `SELECT name, max_units AS max, unit_ms AS "unitMs", burst FROM duework.flow_rules`,
    ),
    jobs: await direct.query<FinalJob>(`
      SELECT id::text AS run, job_type AS type, status, (payload->>'n')::int AS n, payload->>'schedule' AS schedule, idempotency_key AS key
      FROM duework.jobs`),
    orders: await direct.query<{ n: number }>('SELECT n FROM torture.orders'),
    payments: await direct.query<{ n: number; run: string }>('SELECT n, run_id::text AS run FROM torture.payments'),
    dueTimes: await direct.query<DecidedDueTime>(`
      SELECT s.key, s.every_ms::float8 AS "everyMs", extract(epoch FROM l.due_at)::float8 * 1000 AS "dueMs", l.outcome, l.reason, l.run_id::text AS run
      FROM duework.schedule_ledger AS l JOIN duework.schedules AS s ON s.id = l.schedule_id ORDER BY 1, 3`),
    leases: await direct.query<{ run: string; worker: string }>(
      `SELECT id::text AS run, locked_by AS worker FROM duework.job_runs WHERE status = 'running'`,
    ),
  };
}

/** The lines of all processes, in the order of their time. */
function readHistory(dir: string): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  for (const file of readdirSync(dir)) {
    if (!file.startsWith('history-')) continue;
    const by = file.slice('history-'.length, -'.jsonl'.length);
    for (const line of readLines<HistoryEvent>(join(dir, file))) events.push({ ...line, by });
  }
  return events.sort((a, b) => a.at - b.at);
}

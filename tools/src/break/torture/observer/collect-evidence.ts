import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DirectSession } from '../servers/open-direct.js';
import { collectWorkflows } from './collect-workflows.js';
import type { Change, Collected, DecidedSlot, Effect, FinalJob, GateRule } from './evidence.js';
import type { HistoryEvent } from './history-events.js';
import { readGateChanges } from './read-gate-changes.js';

/** Each line has the shape that its file promises. */
const readLines = <T extends object>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

export interface CollectOptions {
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
    slots: await direct.query<DecidedSlot>(`
      SELECT s.key, s.every_ms::float8 AS "everyMs", extract(epoch FROM l.slot_at)::float8 * 1000 AS "slotMs", l.outcome, l.reason, l.run_id::text AS run
      FROM duework.schedule_slots AS l JOIN duework.schedules AS s ON s.id = l.schedule_id ORDER BY 1, 3`),
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

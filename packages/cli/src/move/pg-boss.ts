import type { Transactable } from '@duework/queue-core';
import { PlainError } from '../plain-error.js';
import { handBackPgBoss, handOverPgBoss, tellPgBossSchedules } from './hand-over-pg-boss.js';
import type { HandedOver } from './hand-over.js';
import type { OldJob, OldState, OldSystem } from './old-system.js';
import { nameSchema } from './sql/name-schema.js';
import {
  countPgBossJobs,
  findPgBoss,
  listPgBossJobs,
  listPgBossQueues,
  readPgBossJobs,
  removePgBossJobs,
  restorePgBossJobs,
  SEND_IT,
  type PgBossRow,
} from './sql/pg-boss-jobs.js';

const PAGE = 20_000;
const START: readonly [string, string] = ['-infinity', '00000000-0000-0000-0000-000000000000'];

const STATES: Readonly<Record<string, OldState>> = {
  created: 'waiting',
  retry: 'retry',
  active: 'running',
  failed: 'failed',
};

/** pg-boss 11 and 12, in a schema of the same database. */
export function pgBoss(db: Transactable, schema = 'pgboss', isApart = false): OldSystem {
  const inSchema = nameSchema(schema);
  return {
    name: 'pg-boss',
    async check() {
      const isKnown = await findPgBoss(db, schema);
      if (isKnown === null)
        throw new PlainError('old_system_missing', `This database has no pg-boss in the schema ${schema}.`);
      if (!isKnown)
        throw new PlainError('old_system_too_old', 'Its tables are older than those of pg-boss 11: upgrade it first.');
    },
    count: async () =>
      (await countPgBossJobs(db, inSchema)).map(({ name, state, jobs }) => ({
        name,
        queue: null,
        state: STATES[state] ?? 'ended',
        jobs,
      })),
    names: async () => (await listPgBossQueues(db, inSchema)).map(({ name }) => name),
    async list(name, after) {
      const from = after === null ? START : (JSON.parse(after) as [string, string]);
      const rows = await listPgBossJobs(db, inSchema, name, from, PAGE);
      const last = rows.at(-1);
      return { ids: rows.map(({ id }) => id), after: last === undefined ? null : JSON.stringify([last.at, last.id]) };
    },
    lock: async (tx, name, ids) => (await readPgBossJobs(tx, inSchema, name, ids, true)).map(toOldJob),
    read: async (name, ids) => (await readPgBossJobs(db, inSchema, name, ids, false)).map(toOldJob),
    remove: async (tx, ids) => removePgBossJobs(tx, inSchema, ids),
    async putBack(tx, jobs) {
      const given = jobs.map(({ id, name, data, row, isFailed, runAt, ahead, attempts, maxAttempts }) => ({
        ref: id,
        name,
        data,
        row,
        state: isFailed ? 'failed' : attempts > 0 ? 'retry' : 'created',
        run_at: runAt,
        retry_count: Math.max(attempts - 1, 0),
        retry_limit: maxAttempts - 1,
        priority: ahead,
      }));
      return (await restorePgBossJobs(tx, inSchema, JSON.stringify(given))).map(({ ref }) => ref);
    },
    maxAttemptsOf: (row) => (row as Row).retry_limit + 1,
    handOver: async (contractOf, isDry) =>
      isApart ? tellPgBossSchedules(db, inSchema) : handOverPgBoss(db, inSchema, contractOf, isDry),
    async handBack({ contracts, nameOf }, act) {
      if (isApart) return [];
      const known = (await listPgBossQueues(db, inSchema)).map(({ name }) => name);
      const all: HandedOver[] = [];
      for (const contract of contracts)
        all.push(...(await handBackPgBoss(db, inSchema, nameOf(contract, known), contract, act)));
      return all;
    },
  };
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly priority: number;
  readonly policy?: string;
  readonly singleton_key?: string;
  readonly retry_count: number;
  readonly retry_limit: number;
  readonly started_on?: string;
  readonly output?: unknown;
  readonly blocked?: boolean;
  readonly blocking?: boolean;
}

/** Under these there is one job of a key that waits; under the others the key says nothing, or which run after another. */
const POLICIES_OF_KEYS = ['short', 'stately', 'exclusive'];

function toOldJob({ data, row: json, runAt, createdAt, failedAt }: PgBossRow): OldJob {
  const row = JSON.parse(json) as Row;
  const given = data === null ? null : (JSON.parse(data) as unknown);
  const sent = row.name === SEND_IT ? (given as { readonly name: string; readonly data?: unknown }) : null;
  const isFailed = row.state === 'failed';
  const made = row.started_on === undefined ? 0 : row.retry_count + 1;
  return {
    id: row.id,
    name: sent?.name ?? row.name,
    data: sent === null ? given : (sent.data ?? null),
    isFailed,
    runAt,
    createdAt,
    ahead: row.priority,
    attempts: sent === null ? made : 0,
    maxAttempts: row.retry_limit + 1,
    key: POLICIES_OF_KEYS.includes(row.policy ?? '') ? row.singleton_key || null : null,
    failure: made > 0 ? { at: failedAt, ...readError(row.output) } : null,
    stays: row.blocked || row.blocking ? 'it belongs to a flow of pg-boss, which has to end there' : null,
    row: sent === null ? row : null,
  };
}

function readError(output: unknown): { readonly type: string | null; readonly message: string } {
  const { name, message } = (output ?? {}) as { readonly name?: unknown; readonly message?: unknown };
  return {
    type: typeof name === 'string' ? name : null,
    message: typeof message === 'string' ? message : output === undefined ? 'It failed.' : JSON.stringify(output),
  };
}

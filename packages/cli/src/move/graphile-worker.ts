import type { Transactable } from '@duework/queue-core';
import { PlainError } from '../plain-error.js';
import { handBackGraphile, handOverGraphile } from './hand-over-graphile.js';
import type { OldJob, OldSystem } from './old-system.js';
import {
  countGraphileJobs,
  findGraphile,
  listGraphileJobs,
  listGraphileTasks,
  readGraphileJobs,
  removeGraphileJobs,
  restoreGraphileJobs,
  type GraphileRow,
} from './sql/graphile-jobs.js';
import { nameSchema } from './sql/name-schema.js';

const PAGE = 20_000;

/** graphile-worker as of 0.16, in a schema of the same database; `crontab`: the text of its file. */
export function graphileWorker(
  db: Transactable,
  schema = 'graphile_worker',
  { crontab, isApart = false }: { readonly crontab?: string; readonly isApart?: boolean } = {},
): OldSystem {
  const inSchema = nameSchema(schema);
  return {
    name: 'graphile-worker',
    async check() {
      const { isThere, isKnown, isHidden } = await findGraphile(db, schema);
      if (!isThere)
        throw new PlainError('old_system_missing', `This database has no graphile-worker in the schema ${schema}.`);
      if (!isKnown)
        throw new PlainError(
          'old_system_too_old',
          'Its tables are older than those of graphile-worker 0.16: upgrade it first.',
        );
      if (isHidden)
        throw new PlainError(
          'old_system_hidden',
          'Row security hides its jobs from this role: connect as the owner of its tables.',
        );
    },
    count: async () => countGraphileJobs(db, inSchema),
    names: async () => (await listGraphileTasks(db, inSchema)).map(({ name }) => name),
    async list(name, after) {
      const rows = await listGraphileJobs(db, inSchema, name, after ?? '0', PAGE);
      return { ids: rows.map(({ id }) => id), after: rows.at(-1)?.id ?? null };
    },
    lock: async (tx, name, ids) => (await readGraphileJobs(tx, inSchema, name, ids, true)).map(toOldJob),
    read: async (name, ids) => (await readGraphileJobs(db, inSchema, name, ids, false)).map(toOldJob),
    remove: async (tx, ids) => removeGraphileJobs(tx, inSchema, ids),
    async putBack(tx, jobs) {
      const given = jobs.map(({ id, name, data, row, runAt, ahead, attempts, maxAttempts, error }) => ({
        ref: id,
        name,
        data,
        row,
        run_at: runAt,
        attempts,
        max_attempts: maxAttempts,
        priority: -ahead,
        error,
      }));
      const table = `"${schema.replaceAll('"', '""')}"._private_jobs`;
      return (await restoreGraphileJobs(tx, inSchema, table, JSON.stringify(given))).map(({ ref }) => ref);
    },
    maxAttemptsOf: (row) => (row as Row).max_attempts,
    handOver: async (contractOf, isDry) =>
      crontab === undefined ? [] : handOverGraphile(db, inSchema, crontab, contractOf, isDry),
    handBack: async ({ contracts, contractOf }, act) =>
      isApart ? [] : handBackGraphile(db, inSchema, contracts, contractOf, act),
  };
}

interface Row {
  readonly id: number;
  readonly priority: number;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly key?: string;
  readonly last_error?: string;
}

function toOldJob({ name, payload, row: json, runAt, createdAt, failedAt, isBehind }: GraphileRow): OldJob {
  const row = JSON.parse(json) as Row;
  const { id, priority, attempts, max_attempts: maxAttempts, key = null, last_error: message } = row;
  return {
    id: String(id),
    name,
    data: JSON.parse(payload) as unknown,
    isFailed: attempts >= maxAttempts,
    runAt,
    createdAt,
    ahead: -priority,
    attempts,
    maxAttempts,
    key,
    failure: attempts > 0 ? { at: failedAt, type: null, message: message ?? 'It failed.' } : null,
    stays: isBehind ? 'a job of its queue runs: run this again' : null,
    row,
  };
}

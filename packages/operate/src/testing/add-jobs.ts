import { Prisma, type PrismaClient } from '@duework/database';

/** What a row of a search's test differs in from the others. Times are hours ago. */
export interface JobRow {
  readonly id: number | bigint;
  readonly status: 'queued' | 'running' | 'failed' | 'succeeded' | 'dead' | 'cancelled';
  readonly type?: string;
  readonly queue?: string;
  readonly version?: number;
  readonly priority?: number;
  readonly attempts?: number;
  readonly payload?: object;
  readonly key?: string;
  readonly worker?: string;
  readonly error?: readonly [code: string, type: string | null, message: string];
  /** When it came to its status, in hours ago; 1 unless given. */
  readonly hoursAgo?: number;
  readonly isLate?: boolean;
}

/** Adds rows as the product would have left them. */
export async function addJobs(db: PrismaClient, rows: readonly JobRow[]): Promise<void> {
  const json = (isLive: boolean): string =>
    JSON.stringify(
      rows
        .filter(({ status }) => /queued|running|failed/.test(status) === isLive)
        .map((row) => ({
          ...row,
          id: String(row.id),
          code: row.error?.[0] ?? null,
          error_type: row.error?.[1] ?? null,
          message: row.error?.[2] ?? null,
        })),
    );
  const columns = Prisma.raw(
    `x (id bigint, status text, type text, queue text, version int, priority int, attempts int, payload jsonb, key text, worker text, code text, error_type text, message text, "hoursAgo" float8, "isLate" boolean)`,
  );
  await db.$executeRaw`
    INSERT INTO duework.job_runs (id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence, created_at,
      locked_by, locked_until, claimed_at, failed_at, error_code, error_type, last_error)
    SELECT id, coalesce(queue, 'default'), coalesce(type, 'echo'), coalesce(version, 1), status, coalesce(priority, 5), now() - interval '1 minute' + id % 1000 * interval '1 millisecond',
      coalesce(payload, '{}'), key, coalesce(attempts, CASE status WHEN 'queued' THEN 0 ELSE 1 END), 9, 1,
      now() - coalesce("hoursAgo", 1) * interval '1 hour',
      CASE status WHEN 'running' THEN coalesce(worker, 'w') END, CASE status WHEN 'running' THEN now() END, now() - coalesce("hoursAgo", 1) * interval '1 hour',
      CASE WHEN code IS NOT NULL OR status = 'failed' THEN now() - coalesce("hoursAgo", 1) * interval '1 hour' END,
      coalesce(code, CASE status WHEN 'failed' THEN 'x' END), error_type, coalesce(message, CASE status WHEN 'failed' THEN 'x' END)
    FROM jsonb_to_recordset(${json(true)}::text::jsonb) AS ${columns}`;
  await db.$executeRaw`
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence, worker, claimed_at,
      failed_at, error_code, error_type, last_error, cancel_requested_at, created_at, finished_at, is_late)
    SELECT id, coalesce(queue, 'default'), coalesce(type, 'echo'), coalesce(version, 1), status, coalesce(priority, 5), now(), coalesce(payload, '{}'), key, coalesce(attempts, 1), 9, 1,
      coalesce(worker, 'w'), now(), CASE WHEN code IS NOT NULL OR status = 'dead' THEN now() END, coalesce(code, CASE status WHEN 'dead' THEN 'x' END), error_type,
      coalesce(message, CASE status WHEN 'dead' THEN 'x' END), CASE status WHEN 'cancelled' THEN now() END, now() - interval '30 days',
      now() - coalesce("hoursAgo", 1) * interval '1 hour', coalesce("isLate", false)
    FROM jsonb_to_recordset(${json(false)}::text::jsonb) AS ${columns}`;
}

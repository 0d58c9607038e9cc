import { Prisma } from '@duework/database';

/** A receipt that was mailed. Moments are milliseconds since 1970. */
export interface PastReceipt {
  readonly receiptId: string;
  readonly email: string;
  readonly amountCents: number;
  readonly dueMs: number;
  readonly waitedMs: number;
  readonly ranMs: number;
  /** The first attempt failed, and the second began then; null: there was one. */
  readonly retriedMs: number | null;
}

/** Inserts jobs `send_receipt` that are over, with their attempts that failed. Only a demonstration writes the history itself. */
export async function insertPastReceipts(
  tx: Prisma.TransactionClient,
  receipts: readonly PastReceipt[],
): Promise<void> {
  await tx.$queryRaw(Prisma.sql`
    WITH input AS MATERIALIZED (
      SELECT duework.next_run_id() AS id, "receiptId" AS receipt_id, email, "amountCents" AS cents, "retriedMs" IS NOT NULL AS is_retried,
        to_timestamp("dueMs" / 1000) AS due_at, to_timestamp(("dueMs" + "waitedMs") / 1000) AS began_at,
        to_timestamp((coalesce("retriedMs", "dueMs") + "waitedMs") / 1000) AS claimed_at, "ranMs" * interval '1 ms' AS ran
      FROM jsonb_to_recordset(${JSON.stringify(receipts)}::text::jsonb) AS r (
        "receiptId" text, email text, "amountCents" integer, "dueMs" float8, "waitedMs" float8, "ranMs" float8, "retriedMs" float8
      )
    ), failed AS (
      INSERT INTO duework.job_attempts (run_id, fence, attempt, job_type, outcome, worker, claimed_at, finished_at, error_code, error_type, error_message)
      SELECT id, 1, 1, 'send_receipt', 'failed', 'shop-before', began_at, began_at + ran, 'smtp_451', 'SmtpError', '451 Try again later'
      FROM input WHERE is_retried
    )
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence,
      worker, claimed_at, created_at, finished_at)
    SELECT id, 'default', 'send_receipt', 1, 'succeeded', 5, due_at,
      jsonb_build_object('receiptId', receipt_id, 'email', email, 'amountCents', cents, 'currency', 'EUR'),
      CASE WHEN is_retried THEN 2 ELSE 1 END, 10, CASE WHEN is_retried THEN 2 ELSE 1 END, 'shop-before', claimed_at, due_at, claimed_at + ran
    FROM input ORDER BY id
    RETURNING id
  `);
}

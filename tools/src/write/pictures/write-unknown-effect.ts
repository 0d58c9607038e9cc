import { openClient } from '../../kit/open-client.js';

/** Makes a dead job one whose worker was cut off while it did something, and which was done another thing before. */
export async function writeUnknownEffect(databaseUrl: string, id: string): Promise<void> {
  const db = await openClient(databaseUrl);
  try {
    await db.query(
      `UPDATE duework.job_history SET error_code = 'effect_unknown', meta = '{"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}'
        WHERE id = $1::text::bigint`,
      [id],
    );
    await db.query(
      `INSERT INTO duework.job_effects (job_type, run_key, name, status, run_id, fence, done_at) VALUES
        ('send_receipt', 'order:812', 'store_pdf', 'done', $1::text::bigint, 1, now()),
        ('send_receipt', 'order:812', 'send_mail', 'unknown', $1::text::bigint, 1, NULL)`,
      [id],
    );
  } finally {
    await db.end();
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { openClient } from '../../kit/open-client.js';

const LOOK_EVERY_MS = 50;

/**
 * Writes a rule of flow control of each kind, as if contracts declared them, and runs that wait at their gates in a queue that
 * no worker takes. Returns when a worker has let in whom it lets in; one has to run.
 */
export async function writeGates(databaseUrl: string): Promise<void> {
  const db = await openClient(databaseUrl);
  try {
    await db.query(RULES);
    await db.query(enqueue(5, `ARRAY['limit/bank']`));
    await db.query(enqueue(9, `ARRAY['limit/export.accountId/acc-' || n % 3]`));
    await db.query(enqueue(4, `ARRAY['rate/sms']`));
    await db.query(enqueue(6, `ARRAY['order/ledger.accountId/acc-' || n % 2]`));
    await db.query(
      enqueue(12, `ARRAY['tenant/reports/' || (ARRAY['acme', 'acme', 'acme', 'globex'])[1 + n % 4]]`, 'ARRAY[3]'),
    );
    await db.query(enqueue(7, `ARRAY['breaker/bank']`));
    while ((await db.query('SELECT FROM duework.flow_looks WHERE at <= now() LIMIT 1')).rows.length > 0)
      await pause(LOOK_EVERY_MS);
  } finally {
    await db.end();
  }
}

/** The breaker is open, and a person has changed a limit; keys of accounts for which nothing goes on are many. */
const RULES = `
  INSERT INTO duework.flow_rules (name, declared, changed, changed_by, changed_at) VALUES
    ('limit/bank', '{"max": 5}', '{"max": 2}', 'ana@example.com', now() - interval '12 minutes'),
    ('limit/export.accountId', '{"max": 1}', NULL, NULL, NULL),
    ('rate/sms', '{"max": 1, "perMs": 3600000, "burst": 1}', NULL, NULL, NULL),
    ('order/ledger.accountId', '{"onFailure": "wait", "onDead": "block"}', NULL, NULL, NULL),
    ('tenant/reports', '{}', NULL, NULL, NULL),
    ('breaker/bank', '{"share": 0.5, "of": 20, "pauseMs": 30000}', NULL, NULL, NULL);
  -- a contract declares them, or upkeep would let in whoever waits there; no worker here has it, which would register its own
  INSERT INTO duework.job_definitions
  SELECT (jsonb_populate_record(d, jsonb_build_object('type', 'send_statement', 'flow', (
    SELECT jsonb_agg(jsonb_build_object('rule', name, 'declared', declared)) FROM duework.flow_rules
    WHERE name LIKE '%bank' OR name IN ('limit/export.accountId', 'rate/sms', 'order/ledger.accountId', 'tenant/reports')
  )))).* FROM duework.job_definitions AS d WHERE d.type = 'send_receipt';
  -- a failure of today, so that no upkeep removes them
  INSERT INTO duework.flow_keys (key, rule, recent, noted_at)
    SELECT 'limit/export.accountId/idle-' || to_char(n, 'FM0000'), 'limit/export.accountId', '1', now()
    FROM generate_series(1, 1200) AS n;
  INSERT INTO duework.flow_keys (key, rule, closed_until, closed_ms, recent, is_trying)
    VALUES ('breaker/bank', 'breaker/bank', now() + interval '40 minutes', 2400000, '00000000111111111111', true)`;

/** Statements behind these gates; `units`: of each gate. */
const enqueue = (count: number, gates: string, units = 'NULL::integer[]'): string => `
  SELECT duework.enqueue_1('send_statement', 1, 'reports', 5::smallint, 3,
    jsonb_build_object('receiptId', 'G-' || n, 'email', 'office@example.com', 'amountCents', 1200, 'currency', 'EUR'),
    NULL, 0, NULL, NULL, NULL, NULL, NULL,
    jsonb_strip_nulls(jsonb_build_object('gates', to_jsonb(${gates}), 'units', to_jsonb(${units}))))
  FROM generate_series(1, ${count}) AS n`;

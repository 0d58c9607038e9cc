import { sql, type Sql } from '@duework/sql';
import type { Limits } from './alert-conditions.js';

/** The alerts of flow control, written as those of alert-conditions. None names a key: keys are made of payloads. */

/** The breaker that opens last; no row where none is open, or tries. */
export const breakerAlert: Sql = sql`
        SELECT 'breaker_open',
          jsonb_build_object('rule', k.rule, 'state', CASE WHEN k.closed_until > now() THEN 'open' ELSE 'trying' END,
            'seconds', greatest(0, round(extract(epoch FROM k.closed_until - now()))), 'others', count(*) OVER () - 1),
          true
        FROM duework.flow_rules AS f
        CROSS JOIN LATERAL (
          SELECT k.rule, k.closed_until FROM duework.flow_keys AS k
          WHERE k.rule = f.name AND k.is_trying ORDER BY k.key LIMIT 1000
        ) AS k
        WHERE f.name LIKE 'breaker/%'
        ORDER BY k.closed_until DESC
        LIMIT 1`;

/** The run that has been dead for the longest time and blocks an order at which others wait, of 10,000 keys of each rule. */
export const blockedAlert: Sql = sql`
        SELECT 'order_blocked',
          jsonb_build_object('rule', k.rule, 'type', d.job_type, 'id', d.id::text,
            'seconds', round(extract(epoch FROM now() - d.finished_at)), 'others', count(*) OVER () - 1),
          true
        FROM duework.flow_rules AS f
        CROSS JOIN LATERAL (
          SELECT k.key, k.rule, k.holders FROM duework.flow_keys AS k
          WHERE k.rule = f.name AND k.holders <> '{}' ORDER BY k.key LIMIT 10000
        ) AS k
        CROSS JOIN LATERAL unnest(k.holders) AS h (id)
        CROSS JOIN LATERAL (
          SELECT d.id, d.job_type, d.finished_at FROM duework.job_history_dead AS d
          WHERE d.id = h.id AND d.acknowledged_at IS NULL OFFSET 0
        ) AS d
        WHERE f.blocks AND EXISTS (SELECT FROM duework.flow_waits AS w WHERE w.key = k.key)
        ORDER BY d.finished_at, d.id
        LIMIT 1`;

/** The run that has waited at a gate for the longest time, of the first 10,000 that stand in line. A pause is wanted. */
export const heldAlert = ({ maxWaitingSeconds }: Limits): Sql => sql`
        SELECT 'held_job_waits_too_long',
          jsonb_build_object('rule', duework.rule_of_key(j.held_by), 'type', j.job_type, 'id', j.id::text,
            'waitingSeconds', round(extract(epoch FROM now() - j.run_at)), 'limit', ${maxWaitingSeconds}::float8,
            'others', count(*) OVER () - 1),
          true
        FROM (SELECT w.key, w.run_id FROM duework.flow_waits AS w LIMIT 10000) AS w
        CROSS JOIN LATERAL (
          SELECT j.id, j.job_type, j.held_by, j.run_at FROM duework.job_runs AS j WHERE j.id = w.run_id OFFSET 0
        ) AS j
        WHERE j.held_by = w.key AND w.key NOT LIKE 'pause/%'
          AND j.run_at < now() - ${maxWaitingSeconds}::float8 * interval '1 second'
        ORDER BY j.run_at, j.id
        LIMIT 1`;

import type { Catalog } from '@duework/contracts';
import { makeTerms } from '../../enqueue/make-terms.js';
import { queryRows, sql, type Queryable } from '../sql.js';

/**
 * Writes the job definitions of a catalog. While old and new workers run side by side, an older version of a contract
 * never overwrites a newer one. Returns the types whose row was written.
 */
export async function registerDefinitions(db: Queryable, catalog: Catalog): Promise<string[]> {
  const definitions = catalog.map((contract) => ({
    type: contract.type,
    version: contract.version,
    queue: contract.queue,
    priority: contract.priority,
    max_attempts: contract.maxAttempts,
    timeout_ms: contract.timeoutMs,
    lease_ms: contract.leaseMs,
    retry: contract.retry,
    payload_schema: contract.payloadJsonSchema,
    default_payload: contract.defaultPayload,
    oldest_version: contract.oldestVersion,
    has_key: contract.keyOf !== null,
    key_window_ms: contract.idempotencyWindowMs,
    sensitive: contract.sensitiveEver,
    sensitive_result: contract.sensitiveResult,
    requires_encryption: contract.encryption === 'required',
    alert_after_releases: contract.alertAfterReleases,
    terms: makeTerms(contract),
    queues: contract.queues,
  }));
  const rows = await queryRows<{ type: string }>(
    db,
    sql`
    INSERT INTO duework.job_definitions AS d
      (type, version, queue, priority, max_attempts, timeout_ms, lease_ms, retry, payload_schema, default_payload, oldest_version,
        has_key, key_window_ms, sensitive, sensitive_result, requires_encryption, alert_after_releases, terms, queues)
    SELECT type, version, queue, priority, max_attempts, timeout_ms, lease_ms, retry, payload_schema, default_payload, oldest_version,
      has_key, key_window_ms, sensitive, sensitive_result, requires_encryption, alert_after_releases, terms, queues
    FROM jsonb_to_recordset(${JSON.stringify(definitions)}::text::jsonb) AS x (
      type text, version integer, queue text, priority smallint, max_attempts integer, timeout_ms integer, lease_ms integer,
      retry jsonb, payload_schema jsonb, default_payload jsonb, oldest_version integer, has_key boolean, key_window_ms bigint,
      sensitive text[], sensitive_result text[], requires_encryption boolean, alert_after_releases integer,
      terms jsonb, queues text[]
    )
    -- every worker writes in this order, so that two deploys cannot deadlock
    ORDER BY type
    ON CONFLICT (type) DO UPDATE SET
      version = excluded.version, queue = excluded.queue, priority = excluded.priority,
      max_attempts = excluded.max_attempts, timeout_ms = excluded.timeout_ms, lease_ms = excluded.lease_ms,
      retry = excluded.retry, payload_schema = excluded.payload_schema,
      default_payload = excluded.default_payload, oldest_version = excluded.oldest_version, has_key = excluded.has_key,
      key_window_ms = excluded.key_window_ms, sensitive = excluded.sensitive, sensitive_result = excluded.sensitive_result,
      requires_encryption = excluded.requires_encryption, alert_after_releases = excluded.alert_after_releases,
      terms = excluded.terms, queues = excluded.queues,
      updated_at = now()
    WHERE excluded.version >= d.version
    RETURNING d.type
  `,
  );
  return rows.map((row) => row.type);
}

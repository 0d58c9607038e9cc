import type { Catalog, JobContract } from '@duework/contracts';
import { sql, type Sql } from '@duework/sql';
import { makeTerms } from '../../ports/producer.js';
import { storedFlow } from './stored-flow.js';

/** What a program says of a type, of the columns of `job_definitions`. */
export const definitionColumns = sql`type, version, queue, priority, max_attempts, timeout_ms, lease_ms, retry, payload_schema,
  default_payload, oldest_version, has_key, key_window_ms, sensitive, sensitive_result, requires_encryption, alert_after_releases,
  flow, has_gate_code, max_wait_ms, terms, queues, unique_rule, labels, event, event_keep_ms, subscription, keep_days,
  dead_days`;

/** Selects the definitions of a catalog, in that order. */
export function givenDefinitions(catalog: Catalog): Sql {
  const rows = catalog.map((contract) => ({
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
    ...storedFlow(contract),
    max_wait_ms: contract.maxWaitMs,
    terms: makeTerms(contract),
    queues: contract.queues,
    unique_rule: contract.unique,
    labels: contract.labels,
    ...storedSubscription(contract),
    keep_days: contract.keepDays,
    dead_days: contract.keepDeadDays,
  }));
  return sql`
    SELECT ${definitionColumns}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS x (
      type text, version integer, queue text, priority smallint, max_attempts integer, timeout_ms float8, lease_ms float8,
      retry jsonb, payload_schema jsonb, default_payload jsonb, oldest_version integer, has_key boolean, key_window_ms bigint,
      sensitive text[], sensitive_result text[], requires_encryption boolean, alert_after_releases integer, flow jsonb,
      has_gate_code boolean, max_wait_ms float8, terms jsonb, queues text[], unique_rule jsonb, labels text[],
      event text, event_keep_ms bigint, subscription jsonb, keep_days integer, dead_days integer
    )`;
}

function storedSubscription({ subscription }: JobContract): object {
  if (subscription === null) return {};
  const { event, delayMs, by, isSubscribed } = subscription;
  const made = { delayMs, ...(by === null ? {} : { by }) };
  return { event: event.name, event_keep_ms: event.keepMs, subscription: isSubscribed ? made : null };
}

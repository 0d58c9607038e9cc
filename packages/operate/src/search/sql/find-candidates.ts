import type { HeldBy, JobFilter, JobFilterTerm } from '@duework/filter';
import { compose, sql, toArray, type Sql } from '@duework/sql';
import type { SourceName } from '@duework/queue-core/internals';
import {
  childrenOf,
  compileTerm,
  containsPayload,
  hasEachWord,
  jobsOfBatches,
  jobsOfBulkActions,
  momentOf,
  waitingAt,
} from './compile-filter.js';

/** The fields by which a source has an index, the likely rarest first. */
const INDEXED: Readonly<Record<SourceName, readonly JobFilterTerm['field'][]>> = {
  live: ['id', 'at', 'gate', 'parent', 'key', 'batch', 'bulk', 'schedule', 'held', 'queue'],
  failed: ['id', 'at', 'gate', 'parent', 'key', 'batch', 'bulk', 'schedule', 'held'],
  dead: [
    'id',
    'gate',
    'parent',
    'key',
    'batch',
    'bulk',
    'schedule',
    'payload',
    'error',
    'code',
    'since',
    'until',
    'queue',
    'type',
  ],
  cancelled: ['id', 'parent', 'key', 'batch', 'bulk', 'schedule', 'payload', 'since', 'until', 'queue', 'type'],
  late: ['id', 'parent', 'key', 'batch', 'bulk', 'schedule', 'since', 'until'],
  days_default: ['id', 'parent', 'key', 'batch', 'bulk', 'schedule'],
  days: ['id', 'parent', 'key', 'batch', 'bulk', 'schedule', 'since'],
};

/** Queries for the ids in a source that an index finds by one of a filter's terms. */
export function findCandidates(source: SourceName, filter: JobFilter): Sql[] {
  const terms = filter.terms.filter((term) => !('isNot' in term && term.isNot));
  return INDEXED[source].flatMap((field) =>
    terms.filter((term) => term.field === field).flatMap((term) => findByTerm(source, term, filter) ?? []),
  );
}

function findByTerm(source: SourceName, term: JobFilterTerm, filter: JobFilter): Sql | null {
  switch (term.field) {
    case 'id':
      return sql`SELECT u.id FROM unnest(${toArray(term.values)}::text::bigint[]) AS u (id)`;
    case 'schedule':
      return sql`SELECT s.id FROM duework.find_ids_by_schedule(${toArray(term.values)}::text::text[]) AS s (id)`;
    case 'batch':
      return jobsOfBatches(term.values);
    case 'bulk':
      return jobsOfBulkActions(term.values);
    case 'parent':
      return childrenOf(term.values);
    case 'at':
      return waitingAt(term.values, typesOf(filter));
    case 'key':
      return source === 'dead' || source === 'cancelled'
        ? byIndex(sql`${compileTerm(term)} AND j.idempotency_key IS NOT NULL`)
        : sql`SELECT k.id FROM duework.find_ids_by_key(${toArray(term.values)}::text::text[]) AS k (id)`;
    case 'gate':
      return source === 'dead' ? holdersOf(toArray(term.values)) : atGates(toArray(term.values));
    case 'held':
      return waitingBehind(term.values);
    case 'queue':
      return source === 'live' ? inQueue(toArray(term.values)) : byIndex(compileTerm(term));
    case 'type':
      return byIndex(sql`${compileTerm(term)} AND j.is_newest`);
    case 'payload':
      return byIndex(containsPayload(term));
    case 'error':
    case 'code':
      return byIndex(hasEachWord(term.values));
    case 'since':
      return byIndex(endedBetween(filter));
    case 'until':
      // with a beginning, too, they are candidates already
      return filter.terms.some(({ field }) => field === 'since') ? null : byIndex(endedBetween(filter));
    default:
      return null;
  }
}

/** The types that a filter asks for; null: it may be any. */
function typesOf({ terms }: JobFilter): readonly string[] | null {
  const named = terms.flatMap((term) => (term.field === 'type' && !term.isNot ? [term.values] : []));
  return named[0] ?? null;
}

const byIndex = (condition: Sql): Sql => compose([sql`SELECT j.id{fits} FROM {table} AS j WHERE `, condition], '');

const holdersOf = (keys: string): Sql =>
  sql`SELECT h.id FROM duework.flow_keys AS k CROSS JOIN LATERAL unnest(k.holders) AS h (id) WHERE k.key = ANY(${keys}::text::text[])`;

/** What stands in line there, or is about to, and what holds it. */
const atGates = (keys: string): Sql => sql`
    SELECT w.run_id AS id FROM duework.flow_waits AS w WHERE w.key = ANY(${keys}::text::text[])
    UNION ALL ${looked}
    UNION ALL ${holdersOf(keys)}`;

const waitingBehind = (kinds: readonly HeldBy[]): Sql => sql`
    SELECT w.run_id AS id FROM duework.flow_waits AS w
    WHERE ${kinds.includes('any') ? sql`true` : sql`split_part(w.key, '/', 1) = ANY(${toArray(kinds)}::text::text[])`}
    UNION ALL ${looked}`;

/** What has become due, and nobody has looked yet. */
const looked: Sql = sql`SELECT l.run_id FROM duework.flow_looks AS l WHERE l.at <= now() AND l.run_id IS NOT NULL`;

/**
 * In the order of the index of claims, so that no other plan finds them; and all that are held, in whatever queue: no index
 * knows theirs, and the condition is asked of every candidate.
 */
function inQueue(queues: string): Sql {
  return sql`
    SELECT r.id
    FROM unnest(${queues}::text::text[]) AS q (queue)
    CROSS JOIN LATERAL (
      SELECT j.id FROM duework.job_runs AS j WHERE j.held_by IS NULL AND j.queue = q.queue ORDER BY j.priority, j.run_at, j.id LIMIT 100000
    ) AS r
    UNION ALL
    SELECT w.run_id FROM duework.flow_waits AS w
    UNION ALL
    SELECT l.run_id FROM duework.flow_looks AS l WHERE l.run_id IS NOT NULL`;
}

function endedBetween({ terms }: JobFilter): Sql {
  return compose(
    terms.flatMap((term) => {
      if (term.field === 'since') return [compose([sql`j.finished_at`, momentOf(term.moment)], ' >= ')];
      return term.field === 'until' ? [compose([sql`j.finished_at`, momentOf(term.moment)], ' < ')] : [];
    }),
    ' AND ',
  );
}

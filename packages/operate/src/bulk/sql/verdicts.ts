import type { JobFilter } from '@duework/filter';
import { empty, sql, type Sql, toArray } from '@duework/sql';
import type { BulkPlan } from '../bulk-plan.js';
import type { Stage } from '../stages.js';
import { compileFilter } from '../../search/sql/compile-filter.js';

/** The table of a stage; a part of the history by itself, so that no other part is looked at. */
export function tableOf(stage: Stage): Sql {
  switch (stage) {
    case 'live':
      return sql`duework.job_runs`;
    case 'dead':
      return sql`duework.job_history_dead`;
    case 'cancelled':
      return sql`duework.job_history_cancelled`;
  }
}

/**
 * What an action does with row `j` of a stage: null, the row is none of its own; an empty text, it is changed; a code,
 * it is refused.
 */
export function verdictOf({ change, filter, statuses, now }: BulkPlan, stage: Stage): Sql {
  const isLive = stage === 'live';
  return sql`CASE
      WHEN (${isLive ? sql`j.status = ANY(${toArray(statuses.wanted)}::text::text[])` : sql`j.finished_at <= ${now}::text::timestamptz`}
        ${change.verb === 'reschedule' && change.dueBefore !== undefined ? sql`AND j.run_at < ${new Date(change.dueBefore).toISOString()}::text::timestamptz` : empty}
        AND ${compileFilter(withoutStatus(filter), isLive ? 'runs' : 'jobs')}) IS NOT TRUE THEN NULL
      ${isLive ? sql`WHEN j.status <> ALL(${toArray(statuses.allowed)}::text::text[]) THEN 'transition_not_allowed'` : empty}
      ${!isLive && statuses.allowed.every((status) => status !== stage) ? sql`WHEN true THEN 'transition_not_allowed'` : empty}
      ${stage === 'dead' && change.verb === 'retry' && change.effectsHappened === undefined ? sql`WHEN j.error_code = 'effect_unknown' THEN 'effect_unknown'` : empty}
      ${change.verb === 'free_key' ? sql`WHEN j.idempotency_key IS NULL THEN 'no_key'` : empty}
      ELSE ''
    END`;
}

/** The statuses of a filter decide on the stages. */
const withoutStatus = ({ terms }: JobFilter): JobFilter => ({ terms: terms.filter(({ field }) => field !== 'status') });

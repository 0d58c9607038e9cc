import { sql, type Sql } from '@duework/sql';
import type { BulkPlan } from '../bulk-plan.js';
import type { Stage } from '../stages.js';
import type { BulkActionRow } from './bulk-action-row.js';
import { tableOf, verdictOf } from './verdicts.js';

/** The next rows of a stage, by their ids, and the verdict of each. */
export function scanStage(action: BulkActionRow, plan: BulkPlan, stage: Stage, scanLimit: number): Sql {
  return sql`SELECT j.id, ${verdictOf(plan, stage)} AS verdict FROM ${tableOf(stage)} AS j
      WHERE EXISTS (SELECT FROM action) AND j.id > ${action.afterId}::bigint AND j.id <= ${action.lastId}::bigint
      ORDER BY j.id LIMIT ${scanLimit}::integer`;
}

/** The next runs that an action has changed, for its undo. */
export function scanUndos(action: BulkActionRow, scanLimit: number): Sql {
  return sql`SELECT u.run_id AS id, ''::text AS verdict FROM duework.bulk_undos AS u
      WHERE EXISTS (SELECT FROM action) AND u.bulk_action_id = ${action.undoOf}::bigint AND u.run_id > ${action.afterId}::bigint
      ORDER BY u.run_id LIMIT ${scanLimit}::integer`;
}

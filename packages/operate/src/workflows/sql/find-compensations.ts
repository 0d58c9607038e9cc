import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { WorkflowType } from '../workflow-type.js';

/** Failed steps, and jobs that undo, that are looked at. */
const BUDGET = 1_000;

type Row = WorkflowType['compensations'] & { readonly type: string };

/** Compensations of each type that has any. */
export function findCompensations(db: Queryable): Promise<Row[]> {
  return queryRows(
    db,
    sql`SELECT job_type AS type, running, failed FROM duework.find_compensations(${BUDGET}::integer)`,
  );
}

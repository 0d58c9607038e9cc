import type { Comparison, JobFilter, JobFilterTerm, Moment, PayloadTerm } from '@duework/filter';
import { join, sql, type Sql, toArray } from '@duework/queue-core/internals';

/** Where the jobs are that a condition looks at, and what "now" is for "two hours ago". */
export interface FilteredRows {
  readonly isLive: boolean;
  /** ISO 8601: an action that takes a while still means two hours before it began. */
  readonly now: string;
}

/** What a filter says about row `j` of job_runs or of a part of job_history, but for its status. */
export function filterConditions({ terms }: JobFilter, rows: FilteredRows): Sql {
  const conditions = terms.filter(({ field }) => field !== 'status').map((term) => conditionOf(term, rows));
  return conditions.length === 0 ? sql`true` : join(conditions, ' AND ');
}

function conditionOf(term: JobFilterTerm, rows: FilteredRows): Sql {
  const fits = fitsTerm(term, rows);
  return 'isNot' in term && term.isNot ? sql`(${fits}) IS NOT TRUE` : sql`(${fits})`;
}

function fitsTerm(term: JobFilterTerm, { isLive, now }: FilteredRows): Sql {
  switch (term.field) {
    case 'status':
      return sql`j.status = ${anyOf(term.values)}`;
    case 'id':
      return sql`j.id = ANY(${toArray(term.values)}::text::bigint[])`;
    case 'type':
      return sql`j.job_type = ${anyOf(term.values)}`;
    case 'queue':
      return sql`j.queue = ${anyOf(term.values)}`;
    case 'key':
      return sql`j.idempotency_key = ${anyOf(term.values)}`;
    case 'worker':
      return sql`${isLive ? sql`j.locked_by` : sql`j.worker`} = ${anyOf(term.values)}`;
    case 'schedule':
      return sql`j.id IN (SELECT s.run_id FROM duework.schedule_slots AS s WHERE s.schedule_key = ${anyOf(term.values)})`;
    case 'error':
      return join(
        term.values.map(
          (words) =>
            sql`strpos(lower(concat_ws(E'\\n', j.error_code, j.error_type, j.last_error)), lower(${words}::text)) > 0`,
        ),
        ' OR ',
      );
    case 'version':
      return compare(sql`j.job_version`, term.values);
    case 'priority':
      return compare(sql`j.priority`, term.values);
    case 'attempts':
      return compare(sql`j.attempts`, term.values);
    case 'since':
      return sql`${cameAt(isLive)} >= ${momentOf(term.moment, now)}`;
    case 'until':
      return sql`${cameAt(isLive)} < ${momentOf(term.moment, now)}`;
    case 'payload':
      return fitsPayload(term);
  }
}

const anyOf = (values: readonly string[]): Sql => sql`ANY(${toArray(values)}::text::text[])`;

/** When a job came to its status. */
function cameAt(isLive: boolean): Sql {
  return isLive
    ? sql`CASE j.status WHEN 'queued' THEN j.created_at WHEN 'running' THEN j.claimed_at ELSE j.failed_at END`
    : sql`j.finished_at`;
}

function momentOf(moment: Moment, now: string): Sql {
  return 'at' in moment
    ? sql`${moment.at}::text::timestamptz`
    : sql`(${now}::text::timestamptz - ${moment.agoMs}::float8 * interval '1 millisecond')`;
}

function compare(column: Sql, values: readonly Comparison[]): Sql {
  const one = ({ operator, value }: Comparison): Sql => {
    switch (operator) {
      case '=':
        return sql`${column} = ${value}::bigint`;
      case '<':
        return sql`${column} < ${value}::bigint`;
      case '<=':
        return sql`${column} <= ${value}::bigint`;
      case '>':
        return sql`${column} > ${value}::bigint`;
      case '>=':
        return sql`${column} >= ${value}::bigint`;
    }
  };
  return join(values.map(one), ' OR ');
}

/** A quoted value is a text; another one may also be a number, true, false or null. */
function fitsPayload({ path, values }: PayloadTerm): Sql {
  const at = sql`j.payload #> ${toArray(path)}::text::text[]`;
  return join(
    values.flatMap(({ text, isQuoted }) => [
      sql`${at} = to_jsonb(${text}::text)`,
      ...(!isQuoted && isJsonWord(text) ? [sql`${at} = ${text}::text::jsonb`] : []),
    ]),
    ' OR ',
  );
}

const isJsonWord = (text: string): boolean =>
  /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)$/.test(text);

import type { Comparison, HeldBy, JobFilter, JobFilterTerm, Moment, PayloadTerm, PayloadValue } from '@duework/filter';
import { compose, sql, toArray, type Sql } from '@duework/sql';

/** What row `j` is a row of: one of the views jobs, live_jobs and finished_jobs and of the history, or of job_runs. */
export type RowOf = 'jobs' | 'runs';

/**
 * The condition of a filter, over a row `j`. All of its values are texts. Whoever reads rows by it looks at every row:
 * `searchJobs` and `countJobs` know where to look. `since` and `until` count from the clock of the database; a filter
 * whose moments `fixMoments` has fixed means the same later.
 */
export function compileFilter(filter: JobFilter, of: RowOf = 'jobs'): Sql {
  return compose([sql`true`, ...filter.terms.map((term) => compileTerm(term, of))], ' AND ');
}

/** The condition of one term. */
export function compileTerm(term: JobFilterTerm, of: RowOf = 'jobs'): Sql {
  const condition = compileValues(term, of);
  // what is null is not one of the values either
  return 'isNot' in term && term.isNot ? compose([sql`(`, condition, sql`) IS NOT TRUE`], '') : condition;
}

function compileValues(term: JobFilterTerm, of: RowOf): Sql {
  switch (term.field) {
    case 'status':
      return sql`j.status = ANY(${toArray(term.values)}::text::text[])`;
    case 'id':
      return sql`j.id = ANY(${toArray(term.values)}::text::bigint[])`;
    case 'type':
      return sql`j.job_type = ANY(${toArray(term.values)}::text::text[])`;
    case 'queue':
      return sql`j.queue = ANY(${toArray(term.values)}::text::text[])`;
    case 'key':
      return sql`j.idempotency_key = ANY(${toArray(term.values)}::text::text[])`;
    case 'schedule':
      return sql`j.id = ANY(ARRAY(SELECT duework.find_ids_by_schedule(${toArray(term.values)}::text::text[])))`;
    case 'worker':
      return of === 'runs'
        ? sql`j.locked_by = ANY(${toArray(term.values)}::text::text[])`
        : sql`j.worker = ANY(${toArray(term.values)}::text::text[])`;
    case 'held':
      return anyOf(term.values.map(isHeldBy));
    case 'gate':
      return sql`(${heldBy} = ANY(${toArray(term.values)}::text::text[])
        OR j.id = ANY(ARRAY(SELECT unnest(k.holders) FROM duework.flow_keys AS k WHERE k.key = ANY(${toArray(term.values)}::text::text[]))))`;
    case 'tenant':
      return sql`EXISTS (
        SELECT FROM unnest(j.gates) AS g (gate)
        WHERE g.gate LIKE 'tenant/%' AND substr(g.gate, strpos(substr(g.gate, 8), '/') + 8) = ANY(${toArray(term.values)}::text::text[])
      )`;
    case 'batch':
      return sql`j.id = ANY(ARRAY(${jobsOfBatches(term.values)}))`;
    case 'bulk':
      return sql`j.id = ANY(ARRAY(${jobsOfBulkActions(term.values)}))`;
    case 'parent':
      return sql`j.id = ANY(ARRAY(${childrenOf(term.values)}))`;
    case 'at':
      // no EXISTS, for which the planner may read all that wait into a hash
      return sql`(j.status IN ('queued', 'running', 'failed') AND (
        SELECT true FROM duework.job_steps AS s WHERE s.run_id = j.id AND ${isStep(term.values)} LIMIT 1
      ) IS TRUE)`;
    case 'shard':
      return sql`EXISTS (SELECT FROM duework.shard AS s WHERE s.name = ANY(${toArray(term.values)}::text::text[]))`;
    case 'version':
      return anyOf(term.values.map((value) => compare(sql`j.job_version`, value)));
    case 'priority':
      return anyOf(term.values.map((value) => compare(sql`j.priority`, value)));
    case 'attempts':
      return anyOf(term.values.map((value) => compare(sql`j.attempts`, value)));
    case 'error':
      return hasWords(term.values);
    case 'code':
      return sql`(j.error_code = ANY(${toArray(term.values)}::text::text[]) OR j.error_type = ANY(${toArray(term.values)}::text::text[]))`;
    case 'payload':
      return compilePayload(term);
    case 'since':
      return compose([changedAt(of), momentOf(term.moment)], ' >= ');
    case 'until':
      return compose([changedAt(of), momentOf(term.moment)], ' < ');
  }
}

/** The gate at which a live run waits that is due. Looked up by its id, because the history has no such column. */
const heldBy: Sql = sql`(SELECT CASE WHEN r.run_at <= now() THEN r.held_by END FROM duework.job_runs AS r WHERE r.id = j.id)`;

export const jobsOfBatches = (batches: readonly string[]): Sql =>
  sql`SELECT b.run_id AS id FROM duework.job_batch_jobs AS b WHERE b.batch_id = ANY(${toArray(batches)}::text::text[])`;

/** What these bulk actions have changed. */
export const jobsOfBulkActions = (actions: readonly string[]): Sql =>
  sql`SELECT unnest(b.run_ids) AS id FROM duework.bulk_action_runs AS b WHERE b.bulk_action_id = ANY(${toArray(actions)}::text::bigint[])`;

/** What the handlers of these jobs have enqueued to wait for it. */
export const childrenOf = (
  parents: readonly string[],
): Sql => sql`SELECT s.awaited::bigint AS id FROM duework.job_steps AS s
    WHERE s.run_id = ANY(${toArray(parents)}::text::bigint[]) AND s.awaits = 'child'`;

/** Step `s` is a wait of a live run, and has one of these names, whatever its number in a loop. */
const isStep = (names: readonly string[]): Sql =>
  sql`s.status = 'waiting' AND s.at IS NOT NULL AND s.at = ANY(${toArray(names)}::text::text[])`;

/** What waits at these steps, of some types; null: of all. */
export const waitingAt = (steps: readonly string[], types: readonly string[] | null): Sql => sql`
    SELECT s.run_id AS id FROM duework.job_steps AS s
    WHERE ${isStep(steps)} AND s.job_type = ANY(${
      types === null
        ? sql`ARRAY(SELECT d.type FROM duework.job_definitions AS d)`
        : sql`${toArray(types)}::text::text[]`
    })`;

const isHeldBy = (kind: HeldBy): Sql =>
  kind === 'any' ? sql`${heldBy} IS NOT NULL` : sql`${heldBy} LIKE ${`${kind}/%`}::text`;

const anyOf = (conditions: readonly Sql[]): Sql => compose([sql`(`, compose(conditions, ' OR '), sql`)`], '');

function compare(column: Sql, { operator, value }: Comparison): Sql {
  const number = sql`${String(value)}::text::integer`;
  return compose([column, number], ` ${operator} `);
}

/**
 * Any of some whole words as they stand in an error, whatever their case. By a pattern, which costs a tenth of making the
 * words of a row and looking among them: one for all words, because PostgreSQL keeps 32 compiled patterns and would
 * compile each of more anew for every row; and one for message, code and type, between which no word goes on.
 */
function hasWords(words: readonly string[]): Sql {
  const pattern = `(?:^|[^[:alnum:]])(?:${[...new Set(words.map(escapePattern))].join('|')})(?:$|[^[:alnum:]])`;
  // most rows have no error, and are not asked
  return sql`(coalesce(j.last_error, j.error_code, j.error_type) IS NOT NULL
    AND (coalesce(j.last_error || chr(1), '') || coalesce(j.error_code || chr(1), '') || coalesce(j.error_type, '')) ~* ${pattern}::text)`;
}

/** Without the signs at its ends, which stand for nothing; a sign within it stands for itself. */
function escapePattern(words: string): string {
  return words.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').replace(/[^\p{L}\p{N}\s]/gu, '\\$&');
}

/** Whether row `j` is a dead one whose error has all words of one of these texts: what the index of dead runs can answer. */
export function hasEachWord(texts: readonly string[]): Sql {
  const asked = [...new Set(texts)].map(
    (words) => sql`plainto_tsquery('simple', duework.error_words(NULL, NULL, ${words}::text))`,
  );
  return compose(
    [
      sql`to_tsvector('simple', duework.error_words(j.error_code, j.error_type, j.last_error)) @@ (`,
      compose(asked, ' || '),
      sql`)`,
    ],
    '',
  );
}

/** What stands at the end of the path, read once however many values are asked for; arrays have no names. */
function compilePayload({ path, values }: PayloadTerm): Sql {
  const found = compose([sql`j.payload`, ...path.map((name) => sql`${name}::text`)], ' -> ');
  const asked = jsonTextsOf(values).map((json) => sql`${json}::text::jsonb`);
  return compose([sql`(`, found, sql`) = ANY(ARRAY[`, compose(asked, ', '), sql`])`], '');
}

/** The same as `@>` can ask an index: whether the payload contains an object with the value at the end of the path. */
export function containsPayload({ path, values }: PayloadTerm): Sql {
  const asked = jsonTextsOf(values).map((leaf) =>
    path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, leaf),
  );
  return anyOf(asked.map((json) => sql`j.payload @> ${json}::text::jsonb`));
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?$/;

const jsonTextsOf = (values: readonly PayloadValue[]): string[] => [...new Set(values.flatMap(toJsonTexts))];

/** What a value may be in JSON: a text, and without quotes also what it looks like. */
function toJsonTexts({ text, isQuoted }: PayloadValue): string[] {
  const isLiteral = !isQuoted && (JSON_NUMBER.test(text) || /^(?:true|false|null)$/.test(text));
  return isLiteral ? [JSON.stringify(text), text] : [JSON.stringify(text)];
}

/** When the job came to its status. */
export function changedAt(of: RowOf): Sql {
  const live = sql`CASE j.status WHEN 'running' THEN j.claimed_at WHEN 'failed' THEN j.failed_at ELSE j.created_at END`;
  return of === 'runs' ? live : sql`coalesce(j.finished_at, ${live})`;
}

export function momentOf(moment: Moment): Sql {
  return 'at' in moment
    ? sql`${moment.at}::text::timestamptz`
    : sql`(now() - ${String(moment.agoMs)}::text::float8 * interval '1 millisecond')`;
}

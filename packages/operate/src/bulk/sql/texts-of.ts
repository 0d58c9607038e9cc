import { sql, type Sql } from '@duework/sql';

/** A list in JSON as text[]; null for null. */
export const textsOf = (list: Sql): Sql =>
  sql`CASE WHEN jsonb_typeof(${list}) = 'array' THEN ARRAY(SELECT jsonb_array_elements_text(${list})) END`;

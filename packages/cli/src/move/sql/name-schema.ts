import { sql, type Sql } from '@duework/sql';

/** The name of a schema, as a piece of a statement. */
export const nameSchema = (schema: string): Sql => sql([`"${schema.replaceAll('"', '""')}"`]);

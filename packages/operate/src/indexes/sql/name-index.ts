import { sql, type Sql } from '@duework/sql';

/** The name of an index of the schema duework, as text of a statement. */
export const nameIndex = (name: string): Sql => sql([`duework."${name.replaceAll('"', '""')}"`]);

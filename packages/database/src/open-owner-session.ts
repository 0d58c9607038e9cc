import { DatabaseError } from './database-error.js';
import { describeDatabaseError } from './describe-database-error.js';
import { openMigrationClient } from './migrate/open-migration-client.js';
import { parseDatabaseUrl } from './parse-database-url.js';
import type { RawQueryable, RawStatement } from './raw-queryable.js';
import { readPlace } from './roles/read-place.js';

/** One connection of the owner of the schema, each of whose statements commits by itself. */
export interface OwnerSession extends RawQueryable {
  readonly isTransaction: false;
  close(): Promise<void>;
}

/**
 * A session for what only the owner may do and no transaction may have around it. A pooler in transaction mode has none: it
 * gives each statement another session, with another session's locks and time limits.
 *
 * @throws DatabaseError `session_needed`, `database_permission_denied`; any error of the connection
 */
export async function openOwnerSession(url: string, applicationName: string): Promise<OwnerSession> {
  const address = parseDatabaseUrl(url);
  if (address.isPooled)
    throw new DatabaseError('session_needed', {
      problem: `Indexes cannot be rebuilt through the pooler at ${address.label}, which is in transaction mode.`,
      fix: 'Name the server itself in DATABASE_URL, without pgbouncer=true.',
    });
  try {
    const client = await openMigrationClient(address, applicationName);
    try {
      const place = await readPlace(client, undefined);
      if (place !== null && place.owner !== null && !place.may_migrate)
        throw new DatabaseError('database_permission_denied', {
          problem: `"${place.role}" may not rebuild indexes at ${address.label}: only their owner "${place.owner}" may.`,
          fix: `Run npx duework indexes --rebuild as that role, or in SQL: GRANT "${place.owner}" TO "${place.role}"`,
        });
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    return {
      isTransaction: false,
      async $queryRaw<T>({ text, values }: RawStatement) {
        return (await client.query(text, [...values])).rows as T;
      },
      close: () => client.end().catch(() => {}),
    };
  } catch (error) {
    throw describeDatabaseError(error, url);
  }
}

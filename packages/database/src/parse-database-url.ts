import { DatabaseError } from './database-error.js';

/** A database address in its parts; only `label` may be shown, because it has no password. */
export interface DatabaseAddress {
  /** The URL without the parameter that is set here: `options`. */
  readonly url: string;
  /** The `options` that the URL carried, for example `-c statement_timeout=5000`. */
  readonly options: string;
  readonly user: string;
  readonly database: string;
  /** `host:port/database` */
  readonly label: string;
  /** `?pgbouncer=true`, Prisma's name for a pooler in transaction mode. */
  readonly isPooled: boolean;
}

const fix = 'Set DATABASE_URL to postgres://USER:PASSWORD@HOST:5432/DATABASE.';

/**
 * Takes a PostgreSQL URL apart.
 *
 * @throws DatabaseError `database_url_invalid`, which never shows the URL: it may hold a password.
 */
export function parseDatabaseUrl(url: string | undefined): DatabaseAddress {
  if (url === undefined || url.trim() === '') {
    throw new DatabaseError('database_url_invalid', { problem: 'The database URL is empty.', fix });
  }
  let target: URL;
  try {
    target = new URL(url.trim());
    decodeURIComponent(target.pathname + target.username + target.password);
  } catch {
    throw new DatabaseError('database_url_invalid', {
      problem: 'The database URL cannot be read.',
      fix: `${fix} Characters such as @ : / # in the password must be percent-encoded (@ is %40).`,
    });
  }
  if (target.protocol !== 'postgres:' && target.protocol !== 'postgresql:') {
    // `host:5432/database`, the usual mistake, has the "protocol" host.
    const problem =
      /^[a-z]+:$/.test(target.protocol) && url.includes('://')
        ? `The database URL is for ${target.protocol}//, not for PostgreSQL.`
        : 'The database URL does not begin with postgres://.';
    throw new DatabaseError('database_url_invalid', { problem, fix });
  }
  const options = target.searchParams.get('options') ?? '';
  const isPooled = target.searchParams.get('pgbouncer') === 'true';
  target.searchParams.delete('options');
  const database = decodeURIComponent(target.pathname.slice(1)) || decodeURIComponent(target.username) || 'postgres';
  const host = target.searchParams.get('host') ?? (target.hostname || 'localhost');
  return {
    url: target.toString(),
    options,
    user: decodeURIComponent(target.username) || 'the current user',
    database,
    label: `${host}:${target.port || '5432'}/${database}`,
    isPooled,
  };
}

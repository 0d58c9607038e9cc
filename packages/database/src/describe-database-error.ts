import { DatabaseError } from './database-error.js';
import { findErrorCause, type ErrorCause } from './find-error-cause.js';
import type { DueworkRole } from './roles/duework-roles.js';
import { parseDatabaseUrl, type DatabaseAddress } from './parse-database-url.js';

/** Where the caller's client is connected without this package. */
const UNNAMED: DatabaseAddress = {
  url: '',
  others: [],
  isWritten: false,
  options: '',
  user: 'the user',
  database: 'the database',
  label: 'its address',
  isPooled: false,
};

/** Who asks a database, where it refuses a right. */
export interface Asking {
  /** The role that would have it. */
  readonly needs?: DueworkRole;
  /** `current_user`; else it is the user of the URL. */
  readonly user?: string | undefined;
}

/**
 * Turns any error of a connection into one `DatabaseError`: a line that names host, port and database, never a
 * password, and says what to do; nothing is named where `url` is undefined. An error that is one already is returned unchanged.
 */
export function describeDatabaseError(error: unknown, url: string | undefined, asking: Asking = {}): DatabaseError {
  if (DatabaseError.is(error)) return error;
  let address: DatabaseAddress;
  try {
    const { user, ...at } = url === undefined ? UNNAMED : parseDatabaseUrl(url);
    address = { ...at, user: asking.user ?? user };
  } catch (invalid) {
    return invalid as DatabaseError;
  }
  return describeCause(findErrorCause(error), address, error, asking.needs);
}

function describeCause(
  { code, message }: ErrorCause,
  at: DatabaseAddress,
  cause: unknown,
  needs: DueworkRole = 'duework_operator',
): DatabaseError {
  const unreachable = (why: string, fix: string, isTemporary = true): DatabaseError =>
    new DatabaseError('database_unreachable', {
      problem: `Cannot reach PostgreSQL at ${at.label}: ${why}.`,
      fix,
      isTemporary,
      cause,
    });
  const refused = (why: string, fix: string): DatabaseError => unreachable(why, fix, false);

  const file = FILE.exec(message)?.[1];
  if (file !== undefined) return refused(`${file} cannot be read`, 'Correct its path in DATABASE_URL, or its rights.');
  if (CERTIFICATE.test(code) || /certificate|altnames/i.test(message))
    return refused(`its certificate is not accepted (${message})`, tlsFix(`${code} ${message}`));
  switch (code) {
    case 'ECONNREFUSED':
    case 'DatabaseNotReachable':
      return unreachable('nothing answers there', 'Start PostgreSQL, or correct DATABASE_URL.');
    case 'ENOENT':
      return unreachable('there is no socket', 'Start PostgreSQL, or correct the folder in DATABASE_URL.');
    case 'EACCES':
      return refused('its socket may not be opened', 'Give this user access, or correct the folder in DATABASE_URL.');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return unreachable('the host name is not known', 'Correct the host in DATABASE_URL.');
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'SocketTimeout':
      return unreachable('no answer in time', 'Check the host and port in DATABASE_URL, and any firewall on the way.');
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ConnectionClosed':
      return unreachable('the connection was closed', 'Check that a PostgreSQL server listens there.');
    case 'TlsConnectionError':
      return refused(`TLS failed (${message})`, tlsFix(message));
    case '57P01':
    case '57P02':
    case '57P03':
      return unreachable(message, 'It is starting or stopping: try again in a moment.');
    case '57P05':
      return unreachable('its session was idle for too long', 'Raise idle_session_timeout, or leave it out.');
    // a standby, or a primary that was one
    case '25006':
      return unreachable(
        'it takes no writes',
        'It is a standby: name the primary in DATABASE_URL, or all hosts with target_session_attrs=read-write.',
      );
    case '08007':
      return refused(message, 'Once a primary with a standby is back, check whether the change is there.');
    // a database that takes no connections (ALTER DATABASE … ALLOW_CONNECTIONS false)
    case '55000':
      return unreachable(
        message,
        'It takes no connections now. Its owner opens it: ALTER DATABASE … ALLOW_CONNECTIONS true.',
      );
    case '08000':
    case '08001':
    case '08003':
    case '08004':
    case '08006':
      return unreachable(message, 'Start PostgreSQL, or the pooler before it, or correct DATABASE_URL.');
    case '0A000':
    case '08P01':
      if (/startup parameter|command-line options/i.test(message))
        return refused(message, 'A pooler or proxy stands there: add ?pgbouncer=true to DATABASE_URL.');
      if (/statement pooling mode/i.test(message))
        return refused(message, 'A pooler stands there: set its pool_mode to transaction, or to session.');
      if (POOLER_WAITS.test(message))
        return unreachable(
          message,
          'A pooler answers, and no server behind it: start PostgreSQL, or raise its limits.',
        );
      return describeUncoded(message, code, at, cause, unreachable);
    case '53300':
      return unreachable(message, 'Raise max_connections, or lower the pool sizes.');
    case '28P01':
      return new DatabaseError('database_auth_failed', {
        problem: `PostgreSQL at ${at.label} refuses the password of "${at.user}".`,
        fix: 'Correct the user or the password in DATABASE_URL.',
        cause,
      });
    case '28000':
      return new DatabaseError('database_auth_failed', {
        problem: `PostgreSQL at ${at.label} does not let "${at.user}" in: ${message}.`,
        fix: 'Create the role, allow it in pg_hba.conf, or correct DATABASE_URL.',
        cause,
      });
    case '3D000':
      return new DatabaseError('database_not_found', {
        problem: `There is no database "${at.database}" at ${at.label}.`,
        fix: `Create it (CREATE DATABASE "${at.database}"), or correct DATABASE_URL.`,
        cause,
      });
    case '42501':
      return new DatabaseError('database_permission_denied', {
        problem: `"${at.user}" may not do this at ${at.label}: ${message}.`,
        fix: `As an administrator run: npx duework roles --grant ${needs} --to ${at.user}. To see what a role may do: npx duework roles --check ${at.user}`,
        cause,
      });
    // of the start of a session: no older server knows it
    case '42704':
      if (/idle_session_timeout/.test(message)) return tooOld(cause);
      return describeUncoded(message, code, at, cause, unreachable);
    default:
      return describeUncoded(message, code, at, cause, unreachable);
  }
}

const tooOld = (cause: unknown): DatabaseError =>
  new DatabaseError('database_version_unsupported', {
    problem: 'This PostgreSQL is older than 14.',
    fix: 'Use PostgreSQL 14 or newer.',
    cause,
  });

/** A file that the URL names: `sslrootcert`, `sslcert`, `sslkey`. */
const FILE = /^E[A-Z]+: .*, (?:open|read) ?'?([^']*)/;

/** What PgBouncer says while it has no connection for a client, which has no code of its own. */
const POOLER_WAITS =
  /server_login_retry|cannot connect to server|query_wait_timeout|no more connections|server conn crashed|shutting down/i;

/** Codes of Node's TLS and of OpenSSL for certificates. */
const CERTIFICATE = /CERT|ERR_TLS|VERIFY_LEAF|UNABLE_TO_GET_ISSUER/;

/** Which parameter of DATABASE_URL changes what TLS has refused, by its code or message. */
function tlsFix(why: string): string {
  if (/does not support|no encryption/i.test(why)) return 'Add sslmode=disable, or prefer, to DATABASE_URL.';
  if (/ALTNAME|altnames/.test(why)) return 'Name the host in DATABASE_URL as its certificate does.';
  if (/EXPIRED|expired|NOT_YET/.test(why)) return 'Renew the certificate of the server.';
  return 'Name its authority (sslrootcert=/path/ca.pem), or take any certificate (sslmode=no-verify), in DATABASE_URL.';
}

/** The driver's own errors have no code, so their text is matched. */
function describeUncoded(
  message: string,
  code: string,
  at: DatabaseAddress,
  cause: unknown,
  unreachable: (why: string, fix: string, isTemporary?: boolean) => DatabaseError,
): DatabaseError {
  if (/timeout/i.test(message)) {
    return unreachable('no answer in time', 'Check the host and port in DATABASE_URL, and any firewall on the way.');
  }
  if (/connection terminated|connection ended|socket/i.test(message)) {
    return unreachable('the connection was closed', 'Check that a PostgreSQL server listens there.');
  }
  if (/does not support SSL/i.test(message)) return unreachable('it has no TLS', tlsFix(message), false);
  if (/password must be a string|no password was provided/i.test(message)) {
    return new DatabaseError('database_auth_failed', {
      problem: `PostgreSQL at ${at.label} asks for a password and DATABASE_URL has none.`,
      fix: 'Add it: postgres://USER:PASSWORD@HOST:5432/DATABASE.',
      cause,
    });
  }
  return new DatabaseError('database_query_failed', {
    problem: `PostgreSQL at ${at.label} refused a statement: ${message}${code === '' ? '' : ` (${code})`}.`,
    fix: 'Run again with DEBUG=1 to see the whole error.',
    cause,
  });
}

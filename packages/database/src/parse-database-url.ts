import { DatabaseError } from './database-error.js';
import { splitHosts } from './hosts/split-hosts.js';

/** A database address in its parts; only `label` may be shown, because it has no password. */
export interface DatabaseAddress {
  /** The URL without the parameters that are read here: `options`, `target_session_attrs`. Of several hosts, the first one's. */
  readonly url: string;
  /** Such a URL for each host that is tried after it, in this order; and for each way, where TLS is preferred or allowed. */
  readonly others: readonly string[];
  /** Only a server that takes writes will do: `target_session_attrs=read-write`, and several hosts that do not say `any`. */
  readonly isWritten: boolean;
  /** The `options` that the URL carried, for example `-c statement_timeout=5000`. */
  readonly options: string;
  readonly user: string;
  readonly database: string;
  /** `host:port/database`, or `host:port,host:port/database`. */
  readonly label: string;
  /** `?pgbouncer=true`, Prisma's name for a pooler in transaction mode. */
  readonly isPooled: boolean;
}

const fix = 'Set DATABASE_URL to postgres://USER:PASSWORD@HOST:5432/DATABASE.';
/** Whether a server has to take writes. libpq's other values look for standbys, where a queue can do nothing. */
const SESSIONS: Readonly<Record<string, boolean>> = { 'read-write': true, primary: true, any: false };

/**
 * Takes a PostgreSQL URL apart. It may name several hosts, as libpq's do: `postgres://USER:PASSWORD@h1:5432,h2:5433/DATABASE`.
 *
 * @throws DatabaseError `database_url_invalid`, which never shows the URL: it may hold a password.
 */
export function parseDatabaseUrl(url: string | undefined): DatabaseAddress {
  if (url === undefined || url.trim() === '') throw refuse('The database URL is empty.');
  const targets = splitHosts(url.trim()).map(parseOne);
  const [target] = targets as [URL];
  const asked = target.searchParams.get('target_session_attrs');
  const isWritten = asked === null ? targets.length > 1 : SESSIONS[asked];
  if (isWritten === undefined)
    throw refuse(
      `The database URL asks for target_session_attrs=${asked}.`,
      'A queue writes: say read-write, or primary, which means the same, or any.',
    );
  const options = target.searchParams.get('options') ?? '';
  for (const { searchParams } of targets)
    for (const name of ['options', 'target_session_attrs']) searchParams.delete(name);
  const database = decodeURIComponent(target.pathname.slice(1)) || decodeURIComponent(target.username) || 'postgres';
  const [first, ...others] = targets.flatMap(waysTo) as [string, ...string[]];
  return {
    url: first,
    others,
    isWritten,
    options,
    user: decodeURIComponent(target.username) || 'the current user',
    database,
    label: `${targets.map(nameHost).join(',')}/${database}`,
    isPooled: target.searchParams.get('pgbouncer') === 'true',
  };
}

/**
 * The URLs by which a server is tried. libpq's `prefer` is TLS and else none, its `allow` the other way around, both with any
 * certificate. `require` and `verify-ca` are what `pg` takes them for, and warns of: `verify-full`.
 */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  prefer: ['no-verify', 'disable'],
  allow: ['disable', 'no-verify'],
  require: ['verify-full'],
  'verify-ca': ['verify-full'],
};
/** What pg knows besides: an unknown one is a mistake, which it would take for `verify-full`. */
const SSL_MODES = ['disable', ...Object.keys(WAYS), 'verify-full', 'no-verify'];
/** With `uselibpqcompat=true` pg takes the others for what libpq does. */
const COMPATIBLE: typeof WAYS = { prefer: WAYS['prefer']!, allow: WAYS['allow']! };

function waysTo(target: URL): string[] {
  const mode = target.searchParams.get('sslmode');
  const isCompatible = target.searchParams.get('uselibpqcompat') === 'true';
  const ways = (isCompatible ? COMPATIBLE : WAYS)[mode ?? ''];
  if (mode !== null && !SSL_MODES.includes(mode))
    throw refuse(`The database URL asks for sslmode=${mode}.`, `Say one of ${SSL_MODES.join(', ')}.`);
  if (mode === 'verify-ca' && isCompatible && !target.searchParams.has('sslrootcert'))
    throw refuse('The database URL asks for sslmode=verify-ca.', 'Name its authority: add sslrootcert=/path/ca.pem.');
  if (ways === undefined) return [String(target)];
  return ways.map((way) => {
    const url = new URL(target);
    url.searchParams.delete('uselibpqcompat');
    url.searchParams.set('sslmode', way);
    return String(url);
  });
}

function parseOne(url: string): URL {
  if (/^["']/.test(url))
    throw refuse(
      'The database URL is in quotation marks, which docker run --env-file, for one, leaves in the value.',
      'Write it without them.',
    );
  let target: URL;
  try {
    target = new URL(url);
    decodeURIComponent(target.pathname + target.username + target.password);
  } catch {
    throw refuse(
      'The database URL cannot be read.',
      `${fix} Characters such as @ : / # in the password must be percent-encoded (@ is %40).`,
    );
  }
  if (target.protocol !== 'postgres:' && target.protocol !== 'postgresql:') {
    // `host:5432/database`, the usual mistake, has the "protocol" host.
    throw refuse(
      /^[a-z]+:$/.test(target.protocol) && url.includes('://')
        ? `The database URL is for ${target.protocol}//, not for PostgreSQL.`
        : 'The database URL does not begin with postgres://.',
    );
  }
  if (target.searchParams.get('host')?.includes(','))
    throw refuse(
      'The database URL names several hosts in its parameter host.',
      'Write them where one host stands: postgres://USER:PASSWORD@h1:5432,h2:5432/DATABASE.',
    );
  return target;
}

function nameHost({ searchParams, hostname, port }: URL): string {
  return `${searchParams.get('host') ?? (hostname || 'localhost')}:${port || '5432'}`;
}

function refuse(problem: string, how = fix): DatabaseError {
  return new DatabaseError('database_url_invalid', { problem, fix: how });
}

import { userInfo } from 'node:os';

/** Of libpq's variables those with a parameter of the URL. */
const PARAMETERS = {
  PGSSLMODE: 'sslmode',
  PGSSLROOTCERT: 'sslrootcert',
  PGSSLCERT: 'sslcert',
  PGSSLKEY: 'sslkey',
  PGTARGETSESSIONATTRS: 'target_session_attrs',
  PGOPTIONS: 'options',
} as const;

/**
 * The URL that `PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD`, `PGDATABASE` and their siblings stand for, as psql and pg take them;
 * undefined: neither `PGHOST` nor `PGDATABASE` is set. For programs that were given no URL. Without a password pg looks into
 * `PGPASSFILE`. It may be wrong: `parseDatabaseUrl` says so.
 */
export function readPgVariables(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const read = (name: string): string | undefined => variables[name]?.trim() || undefined;
  const [host, database] = [read('PGHOST'), read('PGDATABASE')];
  if (host === undefined && database === undefined) return undefined;
  const user = read('PGUSER') ?? currentUser();
  const password = variables['PGPASSWORD'];
  const login = `${encodeURIComponent(user)}${password ? `:${encodeURIComponent(password)}` : ''}`;
  const isSocket = host?.startsWith('/') ?? false;
  const place = nameHosts(isSocket || host === undefined ? 'localhost' : host, read('PGPORT') ?? '');
  const parameters = new URLSearchParams(isSocket ? { host: host! } : {});
  for (const [name, parameter] of Object.entries(PARAMETERS)) {
    const value = read(name);
    if (value !== undefined) parameters.set(parameter, value);
  }
  // a blank is written %20, because pg takes a + for itself
  const query = parameters.size === 0 ? '' : `?${String(parameters).replaceAll('+', '%20')}`;
  return `postgres://${login}@${place}/${encodeURIComponent(database ?? user)}${query}`;
}

/** Several hosts have a port each, or one for all of them. */
function nameHosts(hosts: string, ports: string): string {
  const each = ports.split(',');
  return hosts
    .split(',')
    .map((host, nth) => {
      const port = (each.length === 1 ? each[0] : each[nth])?.trim();
      const name = host.includes(':') ? `[${host.trim()}]` : host.trim();
      return port ? `${name}:${port}` : name;
    })
    .join(',');
}

/** A container may have a user without a name. */
function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'postgres';
  }
}

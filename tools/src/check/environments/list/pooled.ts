import { startPgBouncer, type PoolMode } from '../../../kit/servers/start-pgbouncer.js';
import { makeDir } from '../make-dir.js';
import { startStrictProxy } from '../start-strict-proxy.js';
import type { Environment, Prepared } from '../environment.js';
import type { Lab } from '../lab.js';

async function behindPgBouncer(
  lab: Lab,
  name: string,
  mode: PoolMode,
  { areOptionsIgnored = false, query = '', refusal }: BouncerOptions,
): Promise<Prepared> {
  const directUrl = await lab.makeDatabase(name);
  const bouncer = await startPgBouncer({ dir: makeDir(lab.dir, name), url: directUrl, mode, areOptionsIgnored });
  if (bouncer === null) throw new Error('PgBouncer is not installed.');
  const url = Object.assign(new URL(directUrl), { port: String(bouncer.port), search: query }).toString();
  return { url, directUrl, close: () => bouncer.stop(), ...(refusal === undefined ? {} : { refusal }) };
}

interface BouncerOptions {
  readonly areOptionsIgnored?: boolean;
  readonly query?: string;
  readonly refusal?: RegExp;
}

const bouncer = (name: string, mode: PoolMode, options: BouncerOptions, isQuick?: true): Environment => ({
  name,
  ...(isQuick && { isQuick }),
  prepare: (lab, database) => behindPgBouncer(lab, database, mode, options),
});

const POOLED = '?pgbouncer=true';

/** What stands between. */
export const pooled: readonly Environment[] = [
  bouncer('PgBouncer in transaction mode', 'transaction', { query: POOLED }, true),
  bouncer('PgBouncer in session mode', 'session', { query: POOLED }, true),
  bouncer('PgBouncer in session mode that takes options', 'session', { areOptionsIgnored: true }),
  bouncer(
    'PgBouncer without ?pgbouncer=true',
    'transaction',
    { refusal: /add \?pgbouncer=true to DATABASE_URL/ },
    true,
  ),
  bouncer(
    'PgBouncer in statement mode',
    'statement',
    { query: POOLED, refusal: /statement pooling mode.*pool_mode to transaction/ },
    true,
  ),
  ...[
    ['a proxy that refuses start-up options', '', /add \?pgbouncer=true to DATABASE_URL/] as const,
    ['a proxy that refuses start-up options, with ?pgbouncer=true', POOLED, undefined] as const,
  ].map(([name, query, refusal]): Environment => ({
    name,
    isQuick: true,
    async prepare(lab, database) {
      const directUrl = await lab.makeDatabase(database);
      const proxy = await startStrictProxy(directUrl);
      const url = Object.assign(new URL(proxy.url), { search: query }).toString();
      return { url, directUrl, close: () => proxy.stop(), ...(refusal && { refusal }) };
    },
  })),
];

import { startPostgres } from '../../../kit/servers/start-postgres.js';
import { makeDir } from '../make-dir.js';
import type { Environment } from '../environment.js';
import { makeDatabase } from '../lab.js';

const withQuery = (url: string, query: Readonly<Record<string, string>>): string => {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  return target.toString();
};

/** How the server is reached. */
export const reached: readonly Environment[] = [
  { name: 'an address and a port', prepare: async (lab, name) => ({ url: await lab.makeDatabase(name) }) },
  {
    name: 'a Unix socket, whose folder is a parameter',
    isQuick: true,
    async prepare(lab, name) {
      const { username, password, port } = new URL(await lab.makeDatabase(name));
      return { url: `postgres://${username}:${password}@localhost:${port}/${name}?host=${lab.socketDir}` };
    },
  },
  {
    name: 'a Unix socket, whose folder is the host',
    async prepare(lab, name) {
      const { username, password, port } = new URL(await lab.makeDatabase(name));
      return { url: `postgres://${username}:${password}@${encodeURIComponent(lab.socketDir)}:${port}/${name}` };
    },
  },
  {
    name: 'TLS with sslmode=verify-full and the authority',
    isQuick: true,
    prepare: async (lab, name) => ({
      url: withQuery(await lab.makeDatabase(name), { sslmode: 'verify-full', sslrootcert: lab.authority }),
    }),
  },
  {
    name: 'TLS with sslmode=require and no authority',
    isQuick: true,
    prepare: async (lab, name) => ({
      url: withQuery(await lab.makeDatabase(name), { sslmode: 'require' }),
      refusal: /^Cannot reach PostgreSQL at .*: its certificate is not accepted.*sslrootcert/,
    }),
  },
  ...(['prefer', 'allow', 'no-verify'] as const).map((sslmode): Environment => ({
    name: `TLS with sslmode=${sslmode}`,
    prepare: async (lab, name) => ({ url: withQuery(await lab.makeDatabase(name), { sslmode }) }),
  })),
  {
    name: 'TLS with sslmode=require and uselibpqcompat=true',
    prepare: async (lab, name) => ({
      url: withQuery(await lab.makeDatabase(name), { sslmode: 'require', uselibpqcompat: 'true' }),
    }),
  },
  {
    name: 'two hosts, the first of which is not there',
    isQuick: true,
    async prepare(lab, name) {
      const { username, password, host } = new URL(await lab.makeDatabase(name));
      return { url: `postgres://${username}:${password}@127.0.0.1:1,${host}/${name}` };
    },
  },
  {
    name: 'a server with 20 connections',
    isQuick: true,
    async prepare(lab, name) {
      const settings = { fsync: 'off', max_connections: '20' };
      const server = await startPostgres({ dir: makeDir(lab.dir, name), settings });
      return { url: await makeDatabase(server.url, name, {}), close: () => server.stop() };
    },
  },
];

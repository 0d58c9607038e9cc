import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres, type StartedPostgres } from '../../kit/servers/start-postgres.js';
import { openClient } from '../../kit/open-client.js';

/** Below the limit of a path of a Unix socket, which makeDataDir's folders may be. */
export interface Lab {
  readonly dir: string;
  /** With TLS, a Unix socket and logical replication. */
  readonly server: StartedPostgres;
  /** The authority of its certificate, which is the certificate itself. */
  readonly authority: string;
  /** Of its socket. */
  readonly socketDir: string;
  /** Makes a database, and sets it up as `SET …` clauses of ALTER DATABASE say; its URL. */
  makeDatabase(name: string, options?: DatabaseOptions): Promise<string>;
}

export interface DatabaseOptions {
  /** `UTF8` unless given. */
  readonly encoding?: string;
  /** `statement_timeout = '200ms'`: defaults of its sessions. */
  readonly defaults?: readonly string[];
  /** Statements in it. */
  readonly sql?: string;
}

/** A server for all the environments, each with a database of its own. */
export async function openLab(dir: string): Promise<Lab> {
  const folder = join(dir, 'shared');
  mkdirSync(folder);
  const [key, authority] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
  makeCertificate(key, authority);
  giveToServer(folder, key, authority);
  const server = await startPostgres({
    dir,
    settings: {
      fsync: 'off',
      wal_level: 'logical',
      max_connections: '150',
      ssl: 'on',
      ssl_cert_file: authority,
      ssl_key_file: key,
      unix_socket_directories: folder,
    },
  });
  return {
    dir,
    server,
    authority,
    socketDir: folder,
    makeDatabase: (name, options = {}) => makeDatabase(server.url, name, options),
  };
}

export async function makeDatabase(
  serverUrl: string,
  name: string,
  { encoding = 'UTF8', defaults = [], sql = '' }: DatabaseOptions,
): Promise<string> {
  const admin = await openClient(serverUrl);
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C'`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).toString();
  if (sql !== '') {
    const client = await openClient(url);
    await client.query(sql);
    await client.end();
  }
  for (const each of defaults) await admin.query(`ALTER DATABASE ${name} SET ${each}`);
  await admin.end();
  return url;
}

function makeCertificate(key: string, certificate: string): void {
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-addext', names];
  execFileSync('openssl', [...request, '-days', '2', '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  chmodSync(key, 0o600);
}

/** When root runs the tool, PostgreSQL runs as another user, who has to read the key and make the socket. */
function giveToServer(folder: string, ...files: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const user = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
  for (const path of [folder, ...files]) chownSync(path, user, statSync(path).gid);
  chmodSync(folder, 0o755);
}

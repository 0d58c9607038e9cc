import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkDatabase } from './check-database.js';
import { connectPg } from './connect-pg.js';
import { describeDatabaseError } from './describe-database-error.js';
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.js';

const SSL_REQUEST = 80_877_103;

let database: TestDatabase;
let secured: Server;
beforeAll(async () => {
  database = await createTestDatabase();
  secured = await startSecured(makeContext());
});
afterAll(async () => {
  await new Promise((resolve) => secured.close(resolve));
  await database.drop();
});

/** A certificate that nobody has signed but itself. */
function makeContext(): SecureContext {
  const folder = mkdtempSync(join(tmpdir(), 'duework-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=elsewhere', '-days', '2'];
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const context = createSecureContext({ key: readFileSync(key), cert: readFileSync(cert) });
  rmSync(folder, { recursive: true });
  return context;
}

/** The test server behind TLS; without it nobody is let in, as by `hostssl` in pg_hba.conf. */
async function startSecured(secureContext: SecureContext): Promise<Server> {
  const { hostname, port } = new URL(database.url);
  const refuse = (socket: Socket): void => {
    const fields = ['SFATAL', 'VFATAL', 'C28000', 'Mno pg_hba.conf entry for host "127.0.0.1", no encryption', ''];
    const body = Buffer.from(`${fields.join('\0')}\0`);
    const head = Buffer.alloc(5);
    head.write('E');
    head.writeInt32BE(body.length + 4, 1);
    socket.end(Buffer.concat([head, body]));
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (first) => {
      if (first.readInt32BE(4) !== SSL_REQUEST) return refuse(socket);
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      const far = connect(Number(port), hostname);
      for (const each of [secure, far]) each.on('error', () => [secure, far].forEach((one) => one.destroy()));
      secure.pipe(far).pipe(secure);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function urlOf(sslmode: string, isSecured: boolean): string {
  const url = new URL(database.url);
  if (isSecured) url.port = String((secured.address() as AddressInfo).port);
  url.searchParams.set('sslmode', sslmode);
  return url.href;
}

/** Resolves with undefined, or with the line that is told. */
async function tryUrl(url: string): Promise<string | undefined> {
  const db = connectPg({ url, poolSize: 1 });
  return checkDatabase(db, url)
    .catch((error: unknown) => describeDatabaseError(error, url).message)
    .then((told) => told ?? undefined)
    .finally(() => db.$disconnect());
}

test.each([
  ['prefer', false],
  ['allow', false],
  ['disable', false],
  ['prefer', true],
  ['allow', true],
  ['no-verify', true],
] as const)('sslmode=%s connects as in libpq, to a server that has TLS: %s', async (sslmode, isSecured) => {
  expect(await tryUrl(urlOf(sslmode, isSecured))).toBeUndefined();
});

test.each([
  ['require', true, /certificate is not accepted.+sslmode=no-verify/],
  ['verify-ca', true, /certificate is not accepted.+sslrootcert/],
  ['verify-full', true, /certificate is not accepted.+sslrootcert/],
  ['disable', true, /no encryption/],
  ['require', false, /has no TLS.+sslmode=disable/],
] as const)('sslmode=%s is refused, TLS %s, with the parameter that changes it', async (sslmode, isSecured, line) => {
  expect(await tryUrl(urlOf(sslmode, isSecured))).toMatch(line);
});

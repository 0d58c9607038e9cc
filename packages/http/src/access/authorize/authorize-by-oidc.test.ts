import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from 'jose';
import { listenOn } from '../../http/server/listen-on.js';
import { authorizeByOidc, type OidcOptions } from './authorize-by-oidc.js';

/** An issuer on a real socket, whose keys can be rotated and which can fail. */
let server: Server;
let issuer = '';
let shown: JWK[] = [];
let claimed: string | undefined;
let status = 200;
let asked = 0;
let first: Pair;
let second: Pair;

interface Pair {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function makePair(kid: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    asked++;
    const document = url === '/keys' ? { keys: shown } : { issuer: claimed ?? issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
  });
  issuer = `http://127.0.0.1:${await listenOn(server, '127.0.0.1', 0)}`;
  [first, second] = await Promise.all([makePair('a'), makePair('b')]);
});
beforeEach(() => {
  shown = [first.jwk];
  claimed = undefined;
  status = 200;
  asked = 0;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const make = (more: Partial<OidcOptions> = {}) =>
  authorizeByOidc({
    issuer,
    audience: 'duework',
    roles: { viewer: ['read'], mailer: ['enqueue:mail'], operator: ['read', 'operate'] },
    cooldownMs: 0,
    ...more,
  });

function sign(claims: object = {}, { kid, privateKey } = first): Promise<string> {
  return new SignJWT({ iss: issuer, aud: 'duework', sub: 'u1', exp: nowSeconds() + 60, roles: ['viewer'], ...claims })
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(privateKey);
}
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);
const show = (token: string, authorize = make()) =>
  authorize(new Request('http://api/', { headers: { Authorization: `Bearer ${token}` } }), {
    address: '192.0.2.1',
    isLocal: false,
  });

describe('a token of the issuer', () => {
  test('is a person, who may do what the roles may', async () => {
    const token = await sign({ roles: ['operator', 'unknown'], email: 'ana@example.org', email_verified: true });
    expect(await show(token)).toEqual({
      id: 'person:u1',
      name: 'person:ana@example.org',
      kind: 'person',
      scopes: ['read', 'operate'],
      types: null,
      from: '192.0.2.1',
    });
  });

  test('names its person by an address only when the issuer has verified it', async () => {
    expect(await show(await sign({ email: 'root@example.org' }))).toMatchObject({ name: 'person:u1' });
  });

  test.each([
    ['a list', { roles: ['mailer'] }, 'roles', ['enqueue']],
    ['words', { roles: 'mailer viewer' }, 'roles', ['enqueue', 'read']],
    ['a path', { realm_access: { roles: ['viewer'] } }, 'realm_access.roles', ['read']],
    [
      'a claim with dots in its name',
      { 'https://example.org/roles': ['viewer'] },
      'https://example.org/roles',
      ['read'],
    ],
    ['nothing', { roles: undefined }, 'roles', []],
    ['the name of a method', { roles: ['constructor', '__proto__'] }, 'roles', []],
  ])('has its roles as %s', async (_what, claims, rolesClaim, scopes) => {
    expect(await show(await sign(claims), make({ rolesClaim }))).toMatchObject({ scopes });
  });

  test('is checked with keys that are asked for once', async () => {
    const authorize = make({ cooldownMs: 30_000 });
    await Promise.all([show(await sign(), authorize), show(await sign(), authorize)]);
    await show(await sign(), authorize);
    expect(asked).toBe(2);
  });

  test('is good with a key that the issuer has rotated to, and no longer with the old one once that is gone', async () => {
    const authorize = make();
    expect(await show(await sign({}, first), authorize)).toMatchObject({ kind: 'person' });
    shown = [second.jwk];
    expect(await show(await sign({}, second), authorize)).toMatchObject({ kind: 'person' });
    expect(await show(await sign({}, first), authorize)).toMatchObject({ code: 'invalid_credentials' });
  });
});

describe('a token is refused', () => {
  test.each([
    ['of another issuer', { iss: 'https://evil.example' }, 'invalid_credentials'],
    ['for another audience', { aud: 'shop' }, 'invalid_credentials'],
    ['for no audience', { aud: undefined }, 'invalid_credentials'],
    ['that has expired', { exp: 1 }, 'expired_credentials'],
    ['that never expires', { exp: undefined }, 'invalid_credentials'],
    ['that is not good yet', { nbf: 9_999_999_999 }, 'invalid_credentials'],
    ['of nobody', { sub: undefined }, 'invalid_credentials'],
  ])('%s', async (_what, claims, code) => {
    expect(await show(await sign(claims))).toMatchObject({ code });
  });

  test('that nobody has signed (alg none)', async () => {
    const claims = { iss: issuer, aud: 'duework', sub: 'u1', exp: nowSeconds() + 60, roles: ['operator'] };
    expect(await show(new UnsecuredJWT(claims).encode())).toMatchObject({ code: 'invalid_credentials' });
  });

  test('that is signed with the public key as if it were a secret (HS256)', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(first.jwk));
    const token = await new SignJWT({ iss: issuer, aud: 'duework', sub: 'u1', exp: nowSeconds() + 60 })
      .setProtectedHeader({ alg: 'HS256', kid: 'a' })
      .sign(secret);
    expect(await show(token)).toMatchObject({ code: 'invalid_credentials' });
  });

  test('that is signed with a key that nobody knows', async () => {
    expect(await show(await sign({}, second))).toMatchObject({ code: 'invalid_credentials' });
  });

  test('that is signed with another key under a known name', async () => {
    expect(await show(await sign({}, { ...second, kid: 'a' }))).toMatchObject({ code: 'invalid_credentials' });
  });

  test('that was changed after it was signed', async () => {
    const [head, , signature] = (await sign()).split('.');
    const body = Buffer.from(
      JSON.stringify({ iss: issuer, aud: 'duework', sub: 'u1', exp: nowSeconds() + 60, roles: ['operator'] }),
    ).toString('base64url');
    expect(await show(`${head}.${body}.${signature}`)).toMatchObject({ code: 'invalid_credentials' });
  });
});

describe('an issuer', () => {
  test('that does not answer is not the fault of the token, and is asked again', async () => {
    const told: string[] = [];
    const authorize = make({ onUnavailable: (error) => told.push(error.message) });
    status = 500;
    expect(await show(await sign(), authorize)).toMatchObject({ code: 'issuer_unavailable' });
    expect(told).toEqual([expect.stringContaining('answered with 500')]);
    status = 200;
    expect(await show(await sign(), authorize)).toMatchObject({ kind: 'person' });
  });

  test('that names itself otherwise is not believed', async () => {
    claimed = 'https://evil.example';
    expect(await show(await sign())).toMatchObject({ code: 'issuer_unavailable' });
  });

  test('without TLS is taken from this machine alone', () => {
    expect(() => make({ issuer: 'http://login.example.org' })).toThrow('must be an https:// address');
  });
});

test('a role with a scope that is none is refused when the program starts', () => {
  expect(() => make({ roles: { viewer: ['write'] } })).toThrow('which is not a scope');
});

test.each(['', 'dwk_abc', 'a.b', 'a b c'])('%j is no token, and somebody else may know it', async (token) => {
  expect(await show(token)).toBeNull();
});

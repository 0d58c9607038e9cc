import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { authorizeByOidc } from '../access/authorize/authorize-by-oidc.js';
import { listenOn } from '../http/server/listen-on.js';
import { useTestApi, type AnyJson } from '../testing/use-test-api.js';
import { signInByOidc } from './sign-in-by-oidc.js';

/** An issuer on a real socket, which gives a token once for each code, and can be made to give a wrong one. */
let server: Server;
let issuer = '';
let privateKey: CryptoKey;
let jwk: JWK;
const codes = new Map<string, URLSearchParams>();
let idClaims: object = {};
let accessClaims: object | null = {};
let isAway = false;
let exchanged = 0;
let described = 0;
let refreshed = 0;
let revoked: string | null = null;

const sign = (claims: object): Promise<string> =>
  new SignJWT({ iss: issuer, sub: 'ana', iat: now(), exp: now() + 60, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'a' })
    .sign(privateKey);
const now = (): number => Math.floor(Date.now() / 1_000);

/** What the issuer answers to a code. */
async function exchange(request: IncomingMessage): Promise<readonly [status: number, body: object]> {
  exchanged++;
  const form = new URLSearchParams(await text(request));
  const accessToken = accessClaims === null ? 'opaque' : await sign({ aud: 'duework', roles: 'ops', ...accessClaims });
  if (form.get('grant_type') === 'refresh_token') {
    if (form.get('refresh_token') !== `refresh-${refreshed}`) return [400, { error: 'invalid_grant' }];
    refreshed++;
    return [200, { token_type: 'Bearer', access_token: accessToken, refresh_token: `refresh-${refreshed}` }];
  }
  const asked = codes.get(form.get('code') ?? '');
  codes.delete(form.get('code') ?? '');
  const secret = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
  if (secret !== 'console:s3cret') return [401, { error: 'invalid_client' }];
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (asked?.get('code_challenge') !== challenge || asked.get('redirect_uri') !== form.get('redirect_uri'))
    return [400, { error: 'invalid_grant', error_description: 'grant request is invalid' }];
  const idToken = await sign({ aud: 'console', nonce: asked.get('nonce'), ...idClaims });
  const issued = { access_token: accessToken, id_token: idToken, refresh_token: `refresh-${refreshed}` };
  return [200, { token_type: 'Bearer', expires_in: 60, ...issued }];
}

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  privateKey = pair.privateKey;
  jwk = { ...(await exportJWK(pair.publicKey)), kid: 'a', alg: 'ES256', use: 'sig' };
  server = createServer(async (request, response) => {
    if (request.url?.startsWith('/.well-known') === true) described++;
    if (request.url === '/revoke') revoked = new URLSearchParams(await text(request)).get('token');
    const [status, body] = isAway
      ? [503, {}]
      : request.url === '/token'
        ? await exchange(request)
        : [200, request.url === '/keys' ? { keys: [jwk] } : describeIssuer()];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  issuer = `http://127.0.0.1:${await listenOn(server, '127.0.0.1', 0)}`;
});
const describeIssuer = () => ({
  issuer,
  jwks_uri: `${issuer}/keys`,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  revocation_endpoint: `${issuer}/revoke`,
  end_session_endpoint: `${issuer}/end`,
  id_token_signing_alg_values_supported: ['ES256'],
});
beforeEach(() => {
  idClaims = {};
  accessClaims = {};
  isAway = false;
  refreshed = 0;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const options = { clientId: 'console', clientSecret: 's3cret', parameters: { audience: 'duework' } };
const parts = () => ({
  signIn: signInByOidc({ issuer, ...options }),
  authorize: authorizeByOidc({ issuer, audience: 'duework', roles: { ops: ['read'] }, cooldownMs: 0 }),
});
const api = useTestApi(parts);
const few = useTestApi(() => ({ ...parts(), failuresPerMinute: 2 }));
const fresh = useTestApi(parts);
const none = useTestApi();
const redirectUri = 'https://ops.example.org/console/signed-in';
/** As the browser sends it for the console. */
const HEADERS = { Origin: 'https://ops.example.org', 'Content-Type': 'application/json' };

/** Begins, and lets the issuer give a code for it. Returns what the page sends when the browser is back. */
async function comeBack(): Promise<Record<string, string>> {
  const { status, body } = await api.post('/v1/sign-in', { redirectUri }, HEADERS);
  expect(status).toBe(200);
  const { address, ...secrets } = body as { address: string; state: string };
  const code = `code-${codes.size}-${Math.random()}`;
  codes.set(code, new URL(address).searchParams);
  return { ...secrets, redirectUri, parameters: `${new URLSearchParams({ code, state: secrets.state })}` };
}
const finish = (returned: object) => api.post('/v1/sign-in/token', returned, HEADERS);
const refusalOf = async (returned: object): Promise<readonly [number, string, string]> => {
  const { status, body } = await finish(returned);
  return [status, body.code, body.detail];
};

describe('a person', () => {
  test('is sent to the issuer with PKCE, a state and a nonce, each new, and with what the issuer wants besides', async () => {
    const addresses = await Promise.all(
      [1, 2].map(async () => new URL((await api.post('/v1/sign-in', { redirectUri }, HEADERS)).body.address as string)),
    );
    for (const { href, searchParams } of addresses) {
      expect(href).toMatch(`${issuer}/authorize?`);
      expect(Object.fromEntries(searchParams)).toEqual({
        audience: 'duework',
        client_id: 'console',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid email',
        state: expect.stringMatching(/^[\w-]{43}$/),
      });
    }
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(addresses[0]!.searchParams.get(name)).not.toBe(addresses[1]!.searchParams.get(name));
  });

  test('who comes back gets the token for this API, which is good for it', async () => {
    const { status, body } = await finish(await comeBack());
    expect(status).toBe(200);
    expect(body).toEqual({ token: expect.any(String), refreshToken: 'refresh-0', idToken: expect.any(String) });
    const principal = await api.get('/v1/principal', { Authorization: `Bearer ${body.token as string}` });
    expect(principal.body).toMatchObject({ name: 'person:ana', kind: 'person', scopes: ['read'] });
  });

  test('gets the ID token where the access token says nothing to this API, and the ID token is for it', async () => {
    [accessClaims, idClaims] = [null, { aud: ['console', 'duework'], azp: 'console', roles: ['ops'] }];
    const { status, body } = await finish(await comeBack());
    expect([status, (await api.get('/v1/principal', { Authorization: `Bearer ${body.token}` })).status]).toEqual([
      200, 200,
    ]);
  });
});

describe('a sign-in is refused', () => {
  test('with another state than the one that it began with', async () => {
    const other = await comeBack();
    const returned = await comeBack();
    expect(await refusalOf({ ...returned, state: other['state'] })).toEqual([
      401,
      'sign_in_refused',
      expect.stringContaining('state'),
    ]);
  });

  test('when the ID token was made for another one', async () => {
    expect(await refusalOf({ ...(await comeBack()), nonce: 'another' })).toEqual([
      401,
      'sign_in_refused',
      expect.stringContaining('nonce'),
    ]);
    idClaims = { nonce: undefined };
    expect(await refusalOf(await comeBack())).toEqual([401, 'sign_in_refused', expect.any(String)]);
  });

  test('without the verifier that it began with, and with a code that was used', async () => {
    const stolen = await comeBack();
    const other = await comeBack();
    expect(await refusalOf({ ...stolen, verifier: other['verifier'] })).toEqual([
      401,
      'sign_in_refused',
      expect.stringContaining('invalid_grant'),
    ]);
    expect((await finish(other)).status).toBe(200);
    expect(await refusalOf(other)).toEqual([401, 'sign_in_refused', expect.any(String)]);
  });

  test.each([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'shop' }],
    ['that has expired', { exp: 1 }],
  ])('with an ID token %s', async (_what, claims) => {
    idClaims = claims;
    expect(await refusalOf(await comeBack())).toEqual([401, 'sign_in_refused', expect.any(String)]);
  });

  test('when no token is for this API, and says which claim is wrong', async () => {
    accessClaims = { aud: 'shop' };
    const answer = await finish(await comeBack());
    expect([answer.status, answer.body.code]).toEqual([401, 'sign_in_refused']);
    expect(answer.body.detail).toContain('The claim aud of this token does not have the expected value.');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="duework"');
  });

  test('when the person stopped it at the issuer', async () => {
    const returned = await comeBack();
    const parameters = `error=access_denied&state=${returned['state']!}`;
    expect(await refusalOf({ ...returned, parameters })).toEqual([
      401,
      'sign_in_refused',
      expect.stringContaining('access_denied'),
    ]);
  });
});

describe('a person who is signed in', () => {
  const refresh = (refreshToken: string) => api.post('/v1/sign-in/refresh', { refreshToken });

  test('gets the next token without going to the issuer, and each refresh token once', async () => {
    const { body } = await finish(await comeBack());
    const next = await refresh(body.refreshToken);
    expect([next.status, next.body]).toEqual([
      200,
      { token: expect.any(String), refreshToken: 'refresh-1', idToken: null },
    ]);
    expect((await api.get('/v1/principal', { Authorization: `Bearer ${next.body.token}` })).status).toBe(200);
    expect((await refresh(body.refreshToken)).body).toMatchObject({ code: 'sign_in_refused' });
    const lines = JSON.stringify(api.logged);
    expect(lines.includes('refresh-') || lines.includes(next.body.token)).toBe(false);
  });

  test('gets none that is not good for this API', async () => {
    const { body } = await finish(await comeBack());
    accessClaims = { aud: 'another' };
    expect((await refresh(body.refreshToken)).body).toMatchObject({ code: 'sign_in_refused' });
  });

  test('signs out at the issuer, which takes the refresh token back', async () => {
    const { body } = await finish(await comeBack());
    const { refreshToken, idToken } = body;
    const out = 'https://ops.example.org/console/signed-out';
    const ended = await api.post('/v1/sign-in/end', { refreshToken, idToken, redirectUri: out }, HEADERS);
    const address = new URL(ended.body.address);
    expect([address.origin + address.pathname, Object.fromEntries(address.searchParams)]).toEqual([
      `${issuer}/end`,
      { client_id: 'console', post_logout_redirect_uri: out, id_token_hint: idToken },
    ]);
    expect(revoked).toBe(refreshToken);
  });
});

test('nobody is sent to another place than the page that asks, by whatever step', async () => {
  const returned = await comeBack();
  const { body } = await finish(returned);
  const foreign = ['https://evil.example.org/console/signed-in', 'http://ops.example.org/console/signed-in', api.url];
  for (const address of foreign)
    for (const [path, rest] of [
      ['', {}],
      ['/token', returned],
      ['/end', { refreshToken: body.refreshToken, idToken: body.idToken }],
    ] as const) {
      const answer = await api.post(`/v1/sign-in${path}`, { ...rest, redirectUri: address }, HEADERS);
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        [{ pointer: '/redirectUri', message: 'It must be an address of the page that asks' }],
      ]);
    }
  // a program names no origin: it may come back to where it asks
  const own = await api.post('/v1/sign-in', { redirectUri: `${api.url}/console/signed-in` });
  expect(own.status).toBe(200);
  expect((await api.post('/v1/sign-in', { redirectUri })).status).toBe(422);
});

describe('the issuer', () => {
  test('that does not answer is no fault of the person', async () => {
    const returned = await comeBack();
    isAway = true;
    const answers: AnyJson[] = [await fresh.post('/v1/sign-in', { redirectUri }, HEADERS), await finish(returned)];
    for (const { status, body, headers } of answers)
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'issuer_unavailable', '5']);
    isAway = false;
    expect((await fresh.post('/v1/sign-in', { redirectUri }, HEADERS)).status).toBe(200);
  });

  test('is not asked for an address that has failed too often', async () => {
    const before = exchanged;
    const returned = { redirectUri, state: 's', nonce: 'n', verifier: 'v'.repeat(43), parameters: 'code=c&state=s' };
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await few.post('/v1/sign-in/token', returned, HEADERS)).status);
    expect([statuses, exchanged - before]).toEqual([[401, 401, 429], 2]);
  });

  test('is asked once what it is, however many begin', async () => {
    const before = described;
    for (let n = 0; n < 3; n++) await few.post('/v1/sign-in', { redirectUri }, HEADERS);
    expect(described - before).toBeLessThanOrEqual(1);
  });

  test('is named to whoever wants to sign in; where there is none, that is said', async () => {
    expect((await api.get('/v1/sign-in')).body).toEqual({ issuer: new URL(issuer).host });
    expect((await none.get('/v1/sign-in')).body).toEqual({ issuer: null });
    expect((await none.post('/v1/sign-in', { redirectUri }, HEADERS)).body.code).toBe('not_found');
  });
});

test('nothing of a sign-in is logged', async () => {
  const returned = await comeBack();
  const { body } = await finish(returned);
  const { state, nonce, verifier } = returned;
  const code = new URLSearchParams(returned['parameters']).get('code')!;
  const lines = JSON.stringify(api.logged);
  for (const secret of [state!, nonce!, verifier!, code, body.token as string])
    expect(lines.includes(secret)).toBe(false);
});

test.each([
  [{ issuer: 'http://login.example.org' }, 'must be an https:// address'],
  [{ clientId: '' }, 'clientId is empty'],
  [{ scope: 'email' }, 'scope must contain openid'],
  [{ parameters: { state: 'x' } }, 'parameters has state, which is part of the protocol'],
])('%j is refused when the program starts', (wrong, message) => {
  expect(() => signInByOidc({ issuer, ...options, ...wrong })).toThrow(message);
});

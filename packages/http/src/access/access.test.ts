import { request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createKey, revokeKey, SCOPES, type Scope } from '@duework/operate';
import { ask, useTestApi, type Answer } from '../testing/use-test-api.js';
import { createRoutes } from '../create-routes.js';
import { authorizeAny } from './authorize/authorize-any.js';
import { authorizeByKey } from './authorize/authorize-by-key.js';
import { authorizeLocal } from './authorize/authorize-local.js';
import type { Route } from '../api.js';

let routes: readonly Route[] = [];
const closed = useTestApi((parts) => {
  routes = createRoutes(parts, () => ({}));
  return { authorize: authorizeByKey(parts.db) };
});
const local = useTestApi((parts) => ({ authorize: authorizeAny(authorizeByKey(parts.db), authorizeLocal()) }));
const few = useTestApi((parts) => ({
  authorize: authorizeByKey(parts.db),
  requestsPerMinute: 2,
  failuresPerMinute: 2,
}));

const keys: Record<string, string> = {};
const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });

beforeAll(async () => {
  for (const scope of SCOPES) keys[scope] = (await createKey(closed.db, { name: scope, scopes: [scope] })).text;
  keys['all'] = (await createKey(closed.db, { name: 'all', scopes: SCOPES })).text;
  keys['narrow'] = (await createKey(closed.db, { name: 'narrow', scopes: ['enqueue'], types: ['send_receipt'] })).text;
  const make = async (db: typeof closed.db, state: string, scopes: readonly Scope[]): Promise<void> => {
    const name = `${state}-${scopes.length === 1 ? scopes[0] : 'all'}`;
    keys[name] = (await createKey(db, { name, scopes, expiresIn: '1d' })).text;
    if (state === 'revoked') await revokeKey(db, name);
  };
  for (const scopes of [SCOPES, ...SCOPES.map((scope) => [scope])]) {
    await make(few.db, 'unknown', scopes);
    for (const state of ['expired', 'revoked']) await make(closed.db, state, scopes);
  }
  await closed.db.$executeRaw`UPDATE duework.api_keys SET expires_at = now() WHERE name LIKE 'expired-%'`;
});

/** Calls a route with a body that no route takes, so that nothing is changed or followed by whoever is let in. */
function call({ doc }: Route, headers: Record<string, string>): Promise<Answer> {
  const path = doc.path.replaceAll(/\{\w+\}/g, 'none') + (doc.path === '/v1/events' ? '?no=query' : '');
  const method = doc.method.toUpperCase();
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{' };
  return ask(closed.url + path, { method, headers: { 'Content-Type': 'application/json', ...headers }, ...body });
}

const REFUSED = new Set([
  'unauthenticated',
  'invalid_credentials',
  'expired_credentials',
  'revoked_credentials',
  'missing_scope',
]);
const codeOf = ({ status, text }: Answer): string => (status < 400 ? '' : (JSON.parse(text) as { code: string }).code);

describe('every route', () => {
  const scoped = (): Route[] => routes.filter(({ scope }) => scope !== 'public') as Route[];
  const nameOf = ({ doc }: Route): string => `${doc.method} ${doc.path}`;

  test('is public only where anybody may know it', () => {
    expect(routes.filter(({ scope }) => scope === 'public').map(nameOf)).toEqual([
      'get /',
      'get /v1/sign-in',
      'post /v1/sign-in',
      'post /v1/sign-in/token',
      'post /v1/sign-in/refresh',
      'post /v1/sign-in/end',
      'get /approvals/{token}',
      'post /approvals/{token}',
      'get /livez',
      'get /readyz',
      'get /openapi.json',
      'get /console',
      'get /console/{path}',
      'get /docs',
      'get /docs/{file}',
      'get /problems',
      'get /problems/{code}',
    ]);
    expect(scoped().length).toBeGreaterThan(20);
  });

  test('is tried here: the document of the server names no other', async () => {
    const { paths } = (await closed.get('/openapi.json')).body as { paths: Record<string, object> };
    const named = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(named.toSorted()).toEqual(routes.map(nameOf).toSorted());
  });

  test.each([
    ['no key', {}, 401, 'unauthenticated'],
    ['a key that is none', bearer('dwk_x'), 401, 'invalid_credentials'],
    ['another scheme', { Authorization: 'Basic YTpi' }, 401, 'invalid_credentials'],
  ] as const)('refuses %s', async (_what, headers, status, code) => {
    for (const route of scoped()) {
      const answer = await call(route, headers);
      expect([nameOf(route), answer.status, codeOf(answer)]).toEqual([nameOf(route), status, code]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="duework"/);
    }
  });

  test.each([
    ['unknown', 'invalid_credentials'],
    ['expired', 'expired_credentials'],
    ['revoked', 'revoked_credentials'],
  ])('refuses a key that is %s, whatever its scopes are', async (state, code) => {
    for (const route of scoped()) {
      const shown = [...SCOPES, 'all'].map((scope) => keys[`${state}-${scope}`]!);
      for (const answer of await Promise.all(shown.map((key) => call(route, bearer(key))))) {
        expect([nameOf(route), answer.status, codeOf(answer)]).toEqual([nameOf(route), 401, code]);
        expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      }
    }
  });

  test.each(SCOPES)(
    'lets a key with the scope %s through where it is the one that is needed, and nowhere else',
    async (scope) => {
      for (const route of scoped()) {
        const answer = await call(route, bearer(keys[scope]!));
        if (route.scope === scope) expect([nameOf(route), REFUSED.has(codeOf(answer))]).toEqual([nameOf(route), false]);
        else {
          expect([nameOf(route), answer.status, codeOf(answer)]).toEqual([nameOf(route), 403, 'missing_scope']);
          expect(answer.headers.get('www-authenticate')).toContain(`scope="${route.scope as Scope}"`);
        }
      }
    },
  );

  // what is not a file of the console is a screen of it, and people cannot sign in here
  test('that is public needs no key', async () => {
    for (const route of routes.filter(({ scope }) => scope === 'public'))
      expect([nameOf(route), (await call(route, {})).status]).toEqual([
        nameOf(route),
        route.doc.method === 'post' || (route.doc.path.includes('{') && route.doc.path !== '/console/{path}')
          ? 404
          : 200,
      ]);
  });

  test('refuses before it reads a body, however large', async () => {
    const body = ' '.repeat(1_000_000);
    for (const route of scoped().filter(({ bodyLimitBytes }) => bodyLimitBytes !== undefined)) {
      const path = route.doc.path.replaceAll(/\{\w+\}/g, 'none');
      const answer = await ask(closed.url + path, { method: route.doc.method.toUpperCase(), body });
      expect([nameOf(route), answer.status]).toEqual([nameOf(route), 401]);
    }
  });
});

describe('a key for one type', () => {
  const receipt = { type: 'send_receipt', payload: { orderId: 1 } };
  const invoice = { type: 'send_invoice', payload: { orderId: 1 } };
  const post = (path: string, body: object) =>
    closed.post(path, body, { 'Content-Type': 'application/json', ...bearer(keys['narrow']!) });

  test('enqueues that type, and no other', async () => {
    expect(codeOf(await post('/v1/jobs', receipt))).not.toBe('missing_scope');
    const answer = await post('/v1/jobs', invoice);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: 'missing_scope', errors: [{ pointer: '/type' }] });
    expect(answer.headers.get('www-authenticate')).toContain('scope="enqueue:send_invoice"');
  });

  test('enqueues no other in a batch, and then nothing of it', async () => {
    const before = await closed.db.jobRun.count();
    const answer = await post('/v1/jobs/batch', { jobs: [invoice, invoice] });
    expect([answer.status, answer.body.code]).toEqual([403, 'missing_scope']);
    expect(await closed.db.jobRun.count()).toBe(before);
  });

  test('is not told which other types there are', async () => {
    expect((await post('/v1/jobs', { type: 'nothing', payload: {} })).status).toBe(403);
  });
});

describe('payloads', () => {
  test('are shown with their scope alone', async () => {
    const job = { type: 'send_invoice', payload: { orderId: 77 } };
    const { body } = await closed.post('/v1/jobs', job, {
      'Content-Type': 'application/json',
      ...bearer(keys['enqueue']!),
    });
    for (const path of [`/v1/jobs/${body.id}`, '/v1/jobs']) {
      const without = await closed.get(path, bearer(keys['read']!));
      expect([without.status, without.text.includes('payload')]).toEqual([200, false]);
      const within = await closed.get(path, bearer(keys['all']!));
      expect(within.text).toContain('"payload":{"orderId":77}');
    }
    const cancelled = await closed.post(`/v1/jobs/${body.id}/cancel`, undefined, bearer(keys['operate']!));
    expect([cancelled.status, cancelled.body.cancelRequestedBy, cancelled.text.includes('"payload"')]).toEqual([
      200,
      'key:operate',
      false,
    ]);
  });
});

test('what a handler has logged is shown with the scope of payloads alone, of an attempt that succeeded, too', async () => {
  const { body } = await closed.post(
    '/v1/jobs',
    { type: 'send_invoice', payload: { orderId: 78 } },
    {
      'Content-Type': 'application/json',
      ...bearer(keys['enqueue']!),
    },
  );
  await closed.db.$executeRaw`
    INSERT INTO duework.job_attempts (run_id, fence, attempt, job_type, outcome, worker, claimed_at, logs)
    VALUES (${body.id}::bigint, 1, 1, 'send_invoice', 'succeeded', 'w1', now(), 'invoice of ada')`;
  const logsFor = async (key: string) =>
    (await closed.get(`/v1/jobs/${body.id}`, bearer(keys[key]!))).body.attemptHistory;
  expect(await logsFor('read')).toMatchObject([{ outcome: 'succeeded', logs: null }]);
  expect(await logsFor('all')).toMatchObject([{ outcome: 'succeeded', logs: 'invoice of ada' }]);
});

describe('without a key', () => {
  test('this machine may do everything', async () => {
    expect((await local.get('/v1/jobs')).status).toBe(200);
  });

  test.each([
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-For', '203.0.113.7'],
    ['Forwarded', 'for=127.0.0.1'],
    ['X-Real-IP', '127.0.0.1'],
    ['Via', '1.1 proxy'],
    ['Origin', 'https://evil.example'],
    ['Sec-Fetch-Site', 'cross-site'],
    ['Authorization', 'Bearer something'],
  ])('a request with %s: %s may do nothing', async (name, value) => {
    expect((await local.get('/v1/jobs', { [name]: value })).status).toBe(401);
  });

  test('a page that was given this address by its name may do nothing', async () => {
    const status = await new Promise((resolve) => {
      request(`${local.url}/v1/jobs`, { headers: { Host: 'evil.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).end();
    });
    expect(status).toBe(401);
  });
});

describe('limits', () => {
  test('a principal is told what is left, and gets 429 beyond it', async () => {
    const { text } = await createKey(few.db, { name: 'busy', scopes: ['read'] });
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await few.get('/v1/jobs', bearer(text)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    for (const [index, { headers }] of answers.entries()) {
      expect(headers.get('ratelimit-policy')).toBe('"principal";q=2;w=60');
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"principal";r=${[1, 0, 0][index]};t=\\d+$`));
    }
    expect(Number(answers[2]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answers[2]!.body.code).toBe('rate_limited');
  });

  test('an address that fails too often gets 429, and a good key from it is still served', async () => {
    const { text } = await createKey(few.db, { name: 'good', scopes: ['read'] });
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await few.get('/v1/jobs', bearer('dwk_wrong'))).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await few.get('/v1/jobs', bearer(text))).status).toBe(200);
  });
});

describe('nothing that was shown', () => {
  test('is logged or answered', async () => {
    const text = keys['all']!;
    await closed.get('/v1/jobs', bearer(text));
    const refused = await closed.get('/v1/jobs', bearer(keys['revoked-all']!));
    expect(refused.text).not.toContain(keys['revoked-all']);
    expect(JSON.stringify(closed.logged)).not.toMatch(/dwk_/);
  });
});

test('every answer has the headers that tell a browser to do nothing with it', async () => {
  for (const path of ['/livez', '/v1/jobs', '/nothing']) {
    const { headers } = await closed.get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect([headers.has('strict-transport-security'), headers.has('access-control-allow-origin')]).toEqual([
      false,
      false,
    ]);
  }
});

describe('a key that is made over HTTP', () => {
  const make = (maker: string, scopes: readonly string[]) =>
    closed.post(
      '/v1/api-keys',
      { name: `made-${scopes.join('-').replaceAll(':', '-')}`, scopes },
      {
        'Content-Type': 'application/json',
        ...bearer(keys[maker]!),
      },
    );

  test('may do nothing that its maker may not', async () => {
    for (const scope of ['enqueue', 'enqueue:send_invoice', 'read', 'operate', 'sensitive']) {
      const answer = await make('admin', [scope]);
      expect([scope, answer.status, codeOf(answer)]).toEqual([scope, 403, 'missing_scope']);
      expect(answer.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
    }
    expect((await make('all', ['enqueue:send_invoice', 'read'])).status).toBe(201);
  });

  test('ends no later than the key that makes it, whatever was asked for', async () => {
    const { text, key } = await createKey(closed.db, { name: 'short', scopes: ['admin'], expiresIn: '1h' });
    const headers = { 'Content-Type': 'application/json', ...bearer(text) };
    const endOf = async (name: string, more: object): Promise<string> =>
      (await closed.post('/v1/api-keys', { name, scopes: ['admin'], ...more }, headers)).body.key.expiresAt;
    expect(await endOf('made-for-ever', {})).toBe(key.expiresAt!.toISOString());
    expect(await endOf('made-for-a-year', { expiresIn: '365d' })).toBe(key.expiresAt!.toISOString());
    expect(Date.parse(await endOf('made-for-a-minute', { expiresIn: '1m' }))).toBeLessThan(key.expiresAt!.getTime());
  });

  test('revokes itself and what it could have made, and no stronger key, by its name or its id', async () => {
    const revoke = (which: string, by: string) => closed.post(`/v1/api-keys/${which}/revoke`, undefined, bearer(by));
    const strong = await createKey(closed.db, { name: 'strong', scopes: ['admin', 'operate'] });
    const weak = await createKey(closed.db, { name: 'weak', scopes: ['admin'] });
    const twin = await createKey(closed.db, { name: 'twin', scopes: ['admin'] });
    for (const which of ['strong', strong.key.id]) {
      const answer = await revoke(which, weak.text);
      expect([which, answer.status, codeOf(answer)]).toEqual([which, 403, 'missing_scope']);
      expect(answer.headers.get('www-authenticate')).toContain('scope="operate"');
    }
    expect((await revoke('twin', weak.text)).status).toBe(200);
    expect(codeOf(await closed.get('/v1/api-keys', bearer(twin.text)))).toBe('revoked_credentials');
    expect((await revoke('weak', weak.text)).status).toBe(200);
    expect((await revoke('strong', strong.text)).status).toBe(200);
  });

  test('works at once, is shown this once, and is refused from its revocation on', async () => {
    const { body } = await make('admin', ['admin']);
    expect(body).toMatchObject({
      text: expect.stringMatching(/^dwk_/),
      key: { name: 'made-admin', createdBy: 'key:admin' },
    });
    const listed = await closed.get('/v1/api-keys', bearer(body.text));
    expect(listed.body.keys).toContainEqual(expect.objectContaining({ name: 'made-admin', status: 'active' }));
    expect(listed.text).not.toContain(body.text.slice(-49));
    expect((await closed.post('/v1/api-keys/made-admin/revoke', undefined, bearer(keys['admin']!))).status).toBe(200);
    expect(codeOf(await closed.get('/v1/api-keys', bearer(body.text)))).toBe('revoked_credentials');
  });
});

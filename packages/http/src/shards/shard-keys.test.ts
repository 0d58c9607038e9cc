import { createKey } from '@duework/operate';
import { afterEach, expect, test } from '@jest/globals';
import { useTestShards } from '../testing/use-test-shards.js';

const api = useTestShards(['a', 'b'], (options) => ({ ...options, authorize: undefined }));
afterEach(() => api.restore());

const act = { by: 'test', via: 'command' } as const;
const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });

test('a key of any shard holds over all, also while another is away', async () => {
  const { text } = await createKey(api.db('b'), { name: 'of-b', scopes: ['read'], act });
  expect(await api.get('/v1/principal', bearer(text))).toMatchObject({ name: 'key:of-b' });
  api.proxy('a').refuse();
  expect(await api.get('/v1/jobs', bearer(text))).toMatchObject({ problems: [{ shard: 'a' }] });
});

test('a key that no shard knows is refused, and one that may be in a shard that is away is not', async () => {
  const { text } = await createKey(api.db('b'), { name: 'away', scopes: ['read'], act });
  expect(await api.ask('GET', '/v1/jobs')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  const unknown = bearer('dwk_abc');
  expect(await api.ask('GET', '/v1/jobs', undefined, unknown)).toMatchObject({ status: 401 });
  api.proxy('b').refuse();
  // what can be no key is in no shard
  expect(await api.ask('GET', '/v1/jobs', undefined, unknown)).toMatchObject({ status: 401 });
  expect(await api.ask('GET', '/v1/jobs', undefined, bearer(text))).toMatchObject({
    status: 503,
    body: { code: 'database_away', detail: expect.stringContaining('shard b') },
  });
});

test('a key is made in the first shard, told with it, and revoked wherever it is', async () => {
  const { text } = await createKey(api.db('b'), { name: 'admin', scopes: ['admin', 'read'], act });
  const made = await api.post('/v1/api-keys', { name: 'new', scopes: ['read'] }, bearer(text));
  expect(made).toMatchObject({ key: { name: 'new', shard: 'a' } });
  expect((await api.get('/v1/api-keys', bearer(text))).keys).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'admin', shard: 'b' }),
      expect.objectContaining({ name: 'new', shard: 'a' }),
    ]),
  );
  expect(await api.get('/v1/principal', bearer(made.text))).toMatchObject({ name: 'key:new' });
  expect(await api.post('/v1/api-keys/new/revoke', {}, bearer(text))).toMatchObject({
    name: 'new',
    status: 'revoked',
    shard: 'a',
    problems: [],
  });
  expect(await api.ask('GET', '/v1/principal', undefined, bearer(made.text))).toMatchObject({
    status: 401,
    body: { code: 'revoked_credentials' },
  });
  expect(await api.ask('POST', '/v1/api-keys/none/revoke', {}, bearer(text))).toMatchObject({ status: 404 });
});

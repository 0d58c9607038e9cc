import { BlockList } from 'node:net';
import { expect, test } from '@jest/globals';
import { fuzz } from '@duework/database/testing';
import fc from 'fast-check';
import { readEnv } from './env.js';

const DATABASE_URL = 'postgres://u:s3cret@localhost/duework';

test('DATABASE_URL is the only variable that must be set', () => {
  expect(readEnv({ DATABASE_URL, LOG_LEVEL: '', API_PORT: ' ' })).toEqual({
    ok: true,
    env: {
      HOST: '127.0.0.1',
      API_PORT: 4600,
      DATABASE_URL,
      DATABASE_WAIT_MS: 60_000,
      LOG_LEVEL: 'info',
      PAYLOAD_LIMIT_BYTES: 65_536,
      DATABASE_POOL_SIZE: 10,
      API_KEYS: 'on',
      NODE_ENV: '',
      SHOP_TROUBLE: 'off',
      SHOP_ORDERS: 'off',
      MAILBOX_URL: 'http://127.0.0.1:4602',
      OIDC_ROLES_CLAIM: 'roles',
      OIDC_ROLES: {},
      OIDC_SCOPE: 'openid email',
      OIDC_PARAMETERS: {},
      REQUESTS_PER_MINUTE: 60_000,
      MAX_BODY_BYTES: 67_108_864,
      MAX_STREAMS: 2_000,
      FAILURES_PER_MINUTE: 60,
      TRUSTED_PROXIES: expect.any(BlockList),
      BEHIND_TLS: 'off',
      CONSOLE_LINKS: [],
      DUEWORK_KEYS: null,
    },
  });
});

test('without DATABASE_URL the database is that of PGHOST and its siblings', () => {
  const variables = { PGHOST: 'db', PGUSER: 'u', PGPASSWORD: 's3cret', PGDATABASE: 'duework' };
  expect(readEnv(variables)).toMatchObject({ ok: true, env: { DATABASE_URL: 'postgres://u:s3cret@db/duework' } });
  expect(readEnv({ DATABASE_URL, ...variables })).toMatchObject({ ok: true, env: { DATABASE_URL } });
});

test('the address of the dedicated queue is never shown', () => {
  expect(readEnv({ DATABASE_URL, DUEWORK_REDIS_URL: 'http://ana:s3cret@redis', DUEWORK_REDIS_PREFIX: 'a:b' })).toEqual({
    ok: false,
    lines: [
      'DUEWORK_REDIS_URL must be redis://HOST:PORT or rediss://USER:PASSWORD@HOST:PORT, of a cluster redis+cluster://HOST:PORT,HOST:PORT',
      'DUEWORK_REDIS_PREFIX must be 1 to 100 characters without spaces and colons, but it is "a:b"',
    ],
  });
});

test.each([
  [{ API_KEYS: 'off', HOST: '0.0.0.0' }, /^API_KEYS cannot be off while HOST is 0\.0\.0\.0: .*duework keys create/],
  [
    { DUEWORK_REDIS_URL: 'redis://127.0.0.1', SHARDS: `a=${DATABASE_URL}` },
    /^DUEWORK_REDIS_URL goes with one database/,
  ],
  [{ API_KEYS: 'off', HOST: '::' }, /^API_KEYS cannot be off while HOST is ::/],
  [{ API_KEYS: 'off', HOST: '127.0.0.1.evil.example' }, /^API_KEYS cannot be off/],
  [{ API_KEYS: 'off', NODE_ENV: 'production' }, /^API_KEYS cannot be off while NODE_ENV is production/],
  [{ SHOP_ORDERS: 'on', API_KEYS: 'off' }, /^SHOP_ORDERS cannot be on while SHOP_TROUBLE is off/],
  [{ SHOP_TROUBLE: 'on' }, /^SHOP_TROUBLE cannot be on while API_KEYS is on: .*for development on this machine alone/],
  [{ SHOP_TROUBLE: 'on', API_KEYS: 'off', HOST: '0.0.0.0' }, /^API_KEYS cannot be off while HOST is 0\.0\.0\.0/],
  [{ SHOP_TROUBLE: 'on', API_KEYS: 'off', NODE_ENV: 'production' }, /^API_KEYS cannot be off while NODE_ENV/],
  [{ API_KEYS: 'no' }, /^API_KEYS must be on or off/],
  [{ REPLICATED: 'yes' }, /^REPLICATED must be required, or left out, but it is "yes"/],
  [{ OIDC_ISSUER: 'https://a.example' }, /^OIDC_AUDIENCE is not set: OIDC_ISSUER and OIDC_AUDIENCE are set together/],
  [{ OIDC_ISSUER: 'http://a.example', OIDC_AUDIENCE: 'x' }, /^OIDC_ISSUER must be an https:\/\/ address/],
  [{ OIDC_CLIENT_ID: 'console' }, /^OIDC_CLIENT_ID is for people .* set OIDC_ISSUER and OIDC_AUDIENCE, too/],
  [{ OIDC_CLIENT_SECRET: 's3cret' }, /^OIDC_CLIENT_ID is not set: it belongs to OIDC_CLIENT_SECRET$/],
  [{ OIDC_SCOPE: 'email' }, /^OIDC_SCOPE must have openid in it/],
  [{ OIDC_PARAMETERS: 'audience=x&state=1' }, /^OIDC_PARAMETERS cannot have state, which is part of the protocol/],
  [{ OIDC_ROLES: 'viewer=write' }, /^OIDC_ROLES must be role=scope/],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /^TRUSTED_PROXIES must be addresses or networks/],
  [{ CONSOLE_LINKS: '{' }, /^CONSOLE_LINKS is wrong\. /],
  [
    { CONSOLE_LINKS: '[{"words":"Logs","href":"ftp://logs/{id}","where":"job"}]' },
    /^CONSOLE_LINKS is wrong\. links\[0\]\.href of console must be an address of http: or https:/,
  ],
  [{ TRUSTED_PROXIES: '*' }, /^TRUSTED_PROXIES must be addresses or networks/],
])('%j does not start', (variables, line) => {
  expect(readEnv({ DATABASE_URL, ...variables })).toEqual({ ok: false, lines: [expect.stringMatching(line)] });
});

test.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])('keys may be off on %s', (HOST) => {
  expect(readEnv({ DATABASE_URL, HOST, API_KEYS: 'off' }).ok).toBe(true);
});

test('what roles may do and which proxies are believed are read', () => {
  const reading = readEnv({
    DATABASE_URL,
    OIDC_ROLES: 'viewer=read; ops=read,enqueue:mail',
    TRUSTED_PROXIES: '10.0.0.0/8,::1',
  });
  if (!reading.ok) throw new Error(reading.lines.join());
  expect(reading.env.OIDC_ROLES).toEqual({ viewer: ['read'], ops: ['read', 'enqueue:mail'] });
  expect([reading.env.TRUSTED_PROXIES.check('10.1.2.3'), reading.env.TRUSTED_PROXIES.check('11.1.2.3')]).toEqual([
    true,
    false,
  ]);
});

test('every wrong variable gets one readable line', () => {
  const reading = readEnv({
    API_PORT: '70000',
    LOG_LEVEL: 'loud',
    PAYLOAD_LIMIT_BYTES: '64k',
    DATABASE_POOL_SIZE: '0',
  });
  expect(reading).toEqual({
    ok: false,
    lines: [
      'API_PORT must be a whole number from 0 to 65535, but it is "70000"',
      'DATABASE_URL is not set. Set it to postgres://USER:PASSWORD@HOST:5432/DATABASE, or set PGHOST, PGUSER, PGPASSWORD and PGDATABASE',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, but it is "loud"',
      'PAYLOAD_LIMIT_BYTES must be a whole number from 1 to 16777216, but it is "64k"',
      'DATABASE_POOL_SIZE must be a whole number from 1 to 1000, but it is "0"',
    ],
  });
});

test('a wrong database URL is explained without its password', () => {
  const reading = readEnv({ DATABASE_URL: 'mysql://u:s3cret@localhost/x' });
  expect(reading).toEqual({
    ok: false,
    lines: [expect.stringMatching(/^DATABASE_URL is wrong\. .*not for PostgreSQL/)],
  });
  expect(JSON.stringify(reading)).not.toContain('s3cret');
});

test('whatever the variables are, the environment is read, or each wrong variable gets one readable line', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '0',
      '-1',
      '1e3',
      '999999999',
      '9999999999',
      '0x10',
      'a,b',
      ',',
      '\n',
      'postgres://[',
      'postgres://a:%zz@b/c',
      'postgres://a:s3cret\n@b:99999/c',
      'http://[::1',
      'smtp://:@',
    ),
  );
  await fuzz(
    fc.property(
      fc.dictionary(
        fc.constantFrom(
          'HOST',
          'API_PORT',
          'DATABASE_URL',
          'LOG_LEVEL',
          'PAYLOAD_LIMIT_BYTES',
          'DATABASE_POOL_SIZE',
          'API_KEYS',
          'OIDC_ISSUER',
          'OIDC_ROLES',
          'TRUSTED_PROXIES',
        ),
        text,
      ),
      (variables) => {
        const reading = readEnv(variables);
        if (reading.ok) return;
        expect(reading.lines.length).toBeGreaterThan(0);
        for (const line of reading.lines) expect(line).toMatch(/^[A-Z_]+ [^\r\n]{5,}$/);
        expect(reading.lines.filter((line) => line.startsWith('DATABASE_URL')).join()).not.toContain('s3cret');
      },
    ),
    200,
  );
});

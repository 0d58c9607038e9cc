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
      LOG_LEVEL: 'info',
      PAYLOAD_LIMIT_BYTES: 65_536,
      DATABASE_POOL_SIZE: 10,
      DUEWORK_KEYS: null,
    },
  });
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
      'DATABASE_URL is not set. Set it to postgres://USER:PASSWORD@HOST:5432/DATABASE',
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
        fc.constantFrom('HOST', 'API_PORT', 'DATABASE_URL', 'LOG_LEVEL', 'PAYLOAD_LIMIT_BYTES', 'DATABASE_POOL_SIZE'),
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

import { expect, test } from '@jest/globals';
import { fuzz } from '@duework/database/testing';
import fc from 'fast-check';
import { readEnv, type Env } from './env.js';

const DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/duework';

function read(variables: Record<string, string> = {}): Env {
  const reading = readEnv({ DATABASE_URL, ...variables });
  if (!reading.ok) throw new Error(reading.lines.join('\n'));
  return reading.env;
}

function refuse(variables: Record<string, string>): readonly string[] {
  const reading = readEnv({ DATABASE_URL, ...variables });
  return reading.ok ? [] : reading.lines;
}

test('DATABASE_URL is the only variable that must be set', () => {
  const env = read();
  expect(env).toMatchObject({
    ENGINE_CLIENT: 'prisma',
    SMTP_URL: 'smtp://127.0.0.1:4625',
    TEMP_FILE_MAX_AGE_HOURS: 24,
    WEBHOOK_ALLOW_PRIVATE: false,
    WEBHOOK_TIMEOUT_MS: 10_000,
    LOG_LEVEL: 'info',
  });
  expect(env.WEBHOOK_SECRET).toBeUndefined();
});

test('a variable that is set to nothing counts as not set', () => {
  expect(read({ CONCURRENCY: '', WEBHOOK_SECRET: '', QUEUES: '' })).toMatchObject({});
});

test('each variable is read as a value of its type', () => {
  expect(
    read({
      WEBHOOK_ALLOW_PRIVATE: '1',
      TEMP_DIR: '/tmp/x',
      MAIL_FROM: 'a@b.example',
    }),
  ).toMatchObject({
    WEBHOOK_ALLOW_PRIVATE: true,
    TEMP_DIR: '/tmp/x',
    MAIL_FROM: 'a@b.example',
  });
});

test.each([
  ['SMTP_URL', 'http://x'],
  ['TEMP_FILE_MAX_AGE_HOURS', '1e3'],
  ['ENGINE_CLIENT', 'mysql'],
  ['MAIL_FROM', 'Shop'],
  ['MAIL_FROM', 'a@b\r\nBcc: c@d'],
  ['WEBHOOK_ALLOW_PRIVATE', 'maybe'],
  ['WEBHOOK_SECRET', 'short'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_URL', 'postgres://u:p%@h/db'],
])('%s=%p is refused in one line', (name, value) => {
  const lines = refuse({ [name]: value });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`^${name} (must|is wrong)[^\n]+$`));
});

test('no line about a wrong variable shows a secret', () => {
  const lines = refuse({
    DATABASE_URL: 'nonsense-geheim',
    SMTP_URL: 'smtp2://geheim',
    WEBHOOK_SECRET: 'geheim',
  });
  expect(lines).toHaveLength(3);
  expect(lines.join()).not.toContain('geheim');
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
          'DATABASE_URL',
          'SMTP_URL',
          'TEMP_FILE_MAX_AGE_HOURS',
          'WEBHOOK_TIMEOUT_MS',
          'LOG_LEVEL',
          '__proto__',
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

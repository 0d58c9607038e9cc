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
    HOST: '127.0.0.1',
    WORKER_PORT: 4601,
    CONCURRENCY: 10,
    BUFFER: 2_000,
    ENGINE_CLIENT: 'prisma',
    QUEUES: ['default'],
    SHUTDOWN_DEADLINE_MS: 10_000,
    SMTP_URL: 'smtp://127.0.0.1:4625',
    TEMP_FILE_MAX_AGE_HOURS: 24,
    WEBHOOK_ALLOW_PRIVATE: false,
    WEBHOOK_TIMEOUT_MS: 10_000,
    RETENTION_DAYS: 30,
    RETENTION_DEAD_DAYS: 90,
    ALERT_DEAD_PER_HOUR: 10,
    ALERT_WAITING_SECONDS: 300,
    ALERT_HORIZON_SECONDS: 300,
    ALERT_FAILED_PERCENT: 50,
    LOG_LEVEL: 'info',
  });
  expect(env.POLL_INTERVAL_MS).toBeUndefined();
  expect(env.WEBHOOK_SECRET).toBeUndefined();
  expect(env.ALERT_WEBHOOK_URL).toBeUndefined();
  expect(env.WORKER_NAME).toMatch(/-\d+-[0-9a-f]{4}$/);
  expect(read().WORKER_NAME).not.toBe(env.WORKER_NAME);
});

test('a variable that is set to nothing counts as not set', () => {
  expect(read({ CONCURRENCY: '', WEBHOOK_SECRET: '', QUEUES: '' })).toMatchObject({
    CONCURRENCY: 10,
    QUEUES: ['default'],
  });
});

test('each variable is read as a value of its type', () => {
  expect(
    read({
      CONCURRENCY: '3',
      QUEUES: ' default, default ',
      WEBHOOK_ALLOW_PRIVATE: '1',
      TEMP_DIR: '/tmp/x',
      MAIL_FROM: 'a@b.example',
    }),
  ).toMatchObject({
    CONCURRENCY: 3,
    QUEUES: ['default'],
    WEBHOOK_ALLOW_PRIVATE: true,
    TEMP_DIR: '/tmp/x',
    MAIL_FROM: 'a@b.example',
  });
});

test.each([
  ['CONCURRENCY', '0'],
  ['CONCURRENCY', '1e3'],
  ['BUFFER', '-1'],
  ['WORKER_PORT', '65536'],
  ['QUEUES', ','],
  ['QUEUES', 'other'],
  ['POLL_INTERVAL_MS', '1'],
  ['SMTP_URL', 'http://x'],
  ['ENGINE_CLIENT', 'mysql'],
  ['MAIL_FROM', 'Shop'],
  ['MAIL_FROM', 'a@b\r\nBcc: c@d'],
  ['WEBHOOK_ALLOW_PRIVATE', 'maybe'],
  ['WEBHOOK_SECRET', 'short'],
  ['ALERT_WEBHOOK_URL', 'ftp://x'],
  ['LOG_LEVEL', 'loud'],
  ['WORKER_NAME', 'two words'],
  ['RETENTION_DAYS', '0'],
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
    ALERT_WEBHOOK_URL: 'geheim',
  });
  expect(lines).toHaveLength(4);
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
          'HOST',
          'WORKER_PORT',
          'DATABASE_URL',
          'CONCURRENCY',
          'BUFFER',
          'QUEUES',
          'SMTP_URL',
          'WEBHOOK_TIMEOUT_MS',
          'ALERT_WEBHOOK_URL',
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

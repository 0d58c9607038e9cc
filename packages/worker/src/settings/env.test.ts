import { expect, test } from '@jest/globals';
import { defineCatalog, defineJob } from '@duework/contracts';
import { fuzz } from '@duework/database/testing';
import fc from 'fast-check';
import { z } from 'zod';
import { readSettings, toVariable } from './env.js';
import { listSettings } from './list-settings.js';
import { OptionsError } from './options-error.js';
import type { SettingOptions, Settings } from './settings.js';

const DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/duework';

const payload = z.object({});
const catalog = defineCatalog([
  defineJob({ type: 'one', payload }),
  defineJob({ type: 'two', payload, queue: 'slow' }),
]);

const read = (variables: Record<string, string> = {}, options: SettingOptions = {}): Settings =>
  readSettings(options, catalog, { DATABASE_URL, ...variables });

function refuse(variables: Record<string, string>, options: SettingOptions = {}): readonly string[] {
  try {
    readSettings(options, catalog, variables);
    return [];
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    return error.lines;
  }
}

test('DATABASE_URL is the only variable that must be set', () => {
  const settings = read();
  expect(settings).toMatchObject({
    dueworkRedisUrl: undefined,
    dueworkRedisPrefix: undefined,
    replicated: undefined,
    host: { address: '127.0.0.1', isAsked: true },
    workerPort: { port: 4601, isFixed: false },
    concurrency: 10,
    buffer: 2_000,
    queues: ['default', 'slow'],
    labels: [],
    databaseWaitMs: 60_000,
    pollIntervalMs: undefined,
    shutdownDeadlineMs: 10_000,
    retentionDays: 30,
    retentionDeadDays: 90,
    diskGb: undefined,
    indexCare: undefined,
    alertDeadPerHour: 10,
    alertWaitingSeconds: 300,
    alertUnservedSeconds: 300,
    alertHorizonSeconds: 300,
    alertFailedPercent: 50,
    alertWebhookUrl: undefined,
    alertSmtpUrl: undefined,
    alertMailTo: undefined,
    alertMailFrom: undefined,
    alertMailWhen: undefined,
    alertConsoleUrl: undefined,
    dueworkKeys: undefined,
    logLevel: 'info',
  });
  expect(settings.workerName).toMatch(/-\d+-[0-9a-f]{4}$/);
  expect(read().workerName).not.toBe(settings.workerName);
  expect(refuse({})).toEqual([
    'DATABASE_URL must be set, to postgres://USER:PASSWORD@HOST:5432/DATABASE, or PGHOST, PGUSER, PGPASSWORD and PGDATABASE',
  ]);
});

test('the Redis in which an application keeps other things, REDIS_URL, is none of its worker', () => {
  const variables = { DATABASE_URL, REDIS_URL: 'redis://127.0.0.1:6379', REDIS_PREFIX: 'cache' };
  expect(readSettings({}, catalog, variables)).toMatchObject({
    dueworkRedisUrl: undefined,
    dueworkRedisPrefix: undefined,
  });
});

test('a dedicated queue needs no DATABASE_URL, and its address is never shown', () => {
  expect(readSettings({}, catalog, { DUEWORK_REDIS_URL: 'redis://127.0.0.1:6379' })).toMatchObject({
    databaseUrl: undefined,
    dueworkRedisUrl: 'redis://127.0.0.1:6379',
  });
  expect(
    readSettings({}, catalog, { DUEWORK_REDIS_URL: 'rediss+cluster://ana:secret@a:7000,b:7001' }).dueworkRedisUrl,
  ).toBe('rediss+cluster://ana:secret@a:7000,b:7001');
  for (const wrong of ['redis://a,b', 'redis://a:7000,b:7001', 'redis+cluster://', 'redis+cluster://a:b'])
    expect(refuse({ DATABASE_URL, DUEWORK_REDIS_URL: wrong })).toHaveLength(1);
  expect(readSettings({ dueworkRedisUrl: 'redis://127.0.0.1:6379' }, catalog, {}).databaseUrl).toBeUndefined();
  expect(refuse({ DATABASE_URL, DUEWORK_REDIS_URL: 'http://ana:secret@redis', DUEWORK_REDIS_PREFIX: 'a:b' })).toEqual([
    'DUEWORK_REDIS_URL must be redis://HOST:PORT or rediss://USER:PASSWORD@HOST:PORT, of a cluster redis+cluster://HOST:PORT,HOST:PORT; characters such as @ : / # in the password must be percent-encoded (@ is %40)',
    'DUEWORK_REDIS_PREFIX must be 1 to 100 characters without spaces and colons, but it is "a:b"',
  ]);
});

test('a variable that is set to nothing, and an option that is undefined, count as not given', () => {
  expect(read({ CONCURRENCY: '', QUEUES: '' }, { buffer: undefined })).toMatchObject({
    concurrency: 10,
    queues: ['default', 'slow'],
    buffer: 2_000,
  });
});

test('another port than 4601 will do, unless one was asked for or the worker is in production', () => {
  expect(read({ NODE_ENV: 'production' }).workerPort).toEqual({ port: 4601, isFixed: true });
  expect(read({ WORKER_PORT: '4601' }).workerPort).toEqual({ port: 4601, isFixed: true });
  expect(read({ NODE_ENV: 'test' }).workerPort).toEqual({ port: 4601, isFixed: false });
});

test('in Kubernetes the probes answer on the pod’s address, unless another one was asked for', () => {
  const at = (address: string) => read({ KUBERNETES_SERVICE_HOST: address }).host;
  expect(at('10.96.0.1')).toEqual({ address: '0.0.0.0', isAsked: false });
  expect(at('fd00:10:96::1')).toEqual({ address: '::', isAsked: false });
  expect(read({ KUBERNETES_SERVICE_HOST: '10.96.0.1', HOST: '127.0.0.1' }).host).toEqual({
    address: '127.0.0.1',
    isAsked: true,
  });
});

test('each variable is read as a value of its type', () => {
  expect(read({ CONCURRENCY: '3', QUEUES: ' slow, slow ', WORKER_PORT: 'none', POLL_INTERVAL_MS: '50' })).toMatchObject(
    {
      concurrency: 3,
      queues: ['slow'],
      workerPort: null,
      pollIntervalMs: 50,
    },
  );
});

test('every variable has an option of its name, which wins over it', () => {
  const given = {
    databaseUrl: 'postgres://option@127.0.0.1/option',
    databaseWaitMs: 6,
    shards: { a: 'postgres://option@127.0.0.1/option' },
    shard: 'a',
    dueworkRedisUrl: 'rediss://user:password@redis.option.example',
    dueworkRedisPrefix: 'option',
    replicated: 'required',
    host: '0.0.0.0',
    workerPort: 0,
    workerName: 'by-option',
    programName: 'shop',
    concurrency: 3,
    buffer: 7,
    queues: ['slow'],
    labels: ['gpu', 'eu'],
    pollIntervalMs: 70,
    shutdownDeadlineMs: 8,
    retentionDays: 9,
    retentionDeadDays: 10,
    retentionAuditDays: 400,
    diskGb: 500,
    indexCare: '22:00-4:00@Europe/Berlin',
    alertDeadPerHour: 11,
    alertWaitingSeconds: 12,
    alertUnservedSeconds: 13,
    alertHorizonSeconds: 14,
    alertFailedPercent: 15,
    alertWebhookUrl:
      'https://hooks.slack.com/services/x#type=mail&quiet=22:00-7:30@Europe/Berlin  https://option.example/',
    alertSmtpUrl: 'smtps://user:password@mail.option.example',
    alertMailTo: ['ana@option.example', 'bo@option.example'],
    alertMailFrom: 'Duework <duework@option.example>',
    alertMailWhen: 'severity=critical,warning',
    alertConsoleUrl: 'https://jobs.option.example/console',
    dueworkKeys: `k1:${Buffer.alloc(32).toString('base64')}`,
    logLevel: 'warn',
  } as const;
  const variables = Object.fromEntries(Object.keys(given).map((key) => [toVariable(key), 'wrong']));
  expect(read(variables, given)).toEqual({
    ...given,
    workerName: expect.stringMatching(/^by-option-[0-9a-f]{4}$/),
    host: { address: '0.0.0.0', isAsked: true },
    indexCare: { from: 1_320, to: 240, zone: 'Europe/Berlin' },
    workerPort: { port: 0, isFixed: true },
    alertWebhookUrl: [
      {
        url: 'https://hooks.slack.com/services/x',
        format: 'slack',
        only: { type: ['mail'] },
        quiet: { from: 22 * 60, to: 7 * 60 + 30, zone: 'Europe/Berlin' },
      },
      { url: 'https://option.example/', format: 'json', only: {}, quiet: null },
    ],
    alertMailWhen: { only: { severity: ['critical', 'warning'] }, quiet: null },
  });
  expect(Object.keys(given)).toEqual(Object.keys(listSettings(catalog)));
});

test('workers that are given one name have different ones, and so has one that starts again after a crash', () => {
  const names = Array.from({ length: 5 }, () => read({ WORKER_NAME: 'worker-0' }).workerName);
  for (const name of names) expect(name).toMatch(/^worker-0-[0-9a-f]{4}$/);
  expect(new Set(names).size).toBeGreaterThan(1);
});

test('a wrong option is told by its own name', () => {
  const options = { concurrency: 0.5, queues: ['fast'], logLevel: 'loud', databaseUrl: 'geheim' } as object;
  expect(refuse({ CONCURRENCY: '3' }, options)).toEqual([
    'databaseUrl is wrong. The database URL cannot be read. Set DATABASE_URL to postgres://USER:PASSWORD@HOST:5432/DATABASE. Characters such as @ : / # in the password must be percent-encoded (@ is %40).',
    'concurrency must be a whole number from 1 to 1000, but it is "0.5"',
    'queues must be a comma list of default, slow, but it is "fast"',
    'logLevel must be one of trace, debug, info, warn, error, fatal, silent, but it is "loud"',
  ]);
});

test.each([
  ['CONCURRENCY', '0'],
  ['CONCURRENCY', '1e3'],
  ['BUFFER', '-1'],
  ['WORKER_PORT', '65536'],
  ['QUEUES', ','],
  ['QUEUES', 'other'],
  ['LABELS', 'gpu,two words'],
  ['POLL_INTERVAL_MS', '1'],
  ['ALERT_WEBHOOK_URL', 'ftp://x'],
  ['ALERT_WEBHOOK_URL', 'https://ana:%zz@x'],
  ['ALERT_SMTP_URL', 'mail.example.com'],
  ['ALERT_MAIL_TO', 'ana@example.com,'],
  ['ALERT_MAIL_FROM', 'ana'],
  ['ALERT_MAIL_WHEN', 'quiet=late'],
  ['ALERT_MAIL_WHEN', 'severity=urgent'],
  ['ALERT_MAIL_WHEN', 'alert=too_many_dead'],
  ['ALERT_WEBHOOK_URL', 'https://x#format=fax'],
  ['ALERT_WEBHOOK_URL', 'https://x#colour=red'],
  ['ALERT_WEBHOOK_URL', 'https://x#quiet=22:00-07:00@Nowhere'],
  ['ALERT_WEBHOOK_URL', 'https://x ftp://y'],
  ['ALERT_CONSOLE_URL', 'jobs'],
  ['DUEWORK_KEYS', 'k1:short'],
  ['LOG_LEVEL', 'loud'],
  ['WORKER_NAME', 'two words'],
  ['PROGRAM_NAME', 'two words'],
  ['RETENTION_DAYS', '0'],
  ['DISK_GB', '0.5'],
  ['INDEX_CARE', '2-4'],
  ['INDEX_CARE', '02:00-02:00'],
  ['INDEX_CARE', '02:00-04:00@Mars/Base'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_URL', 'postgres://u:p%@h/db'],
])('%s=%p is refused in one line', (name, value) => {
  const lines = refuse({ DATABASE_URL, [name]: value });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`^${name} (must|is wrong)[^\n]+$`));
});

test('no line about a wrong variable shows a secret', () => {
  const lines = refuse({
    DATABASE_URL: 'nonsense-geheim',
    ALERT_WEBHOOK_URL: 'geheim',
    ALERT_SMTP_URL: 'geheim',
    DUEWORK_KEYS: 'k1:geheim',
  });
  expect(lines).toHaveLength(4);
  expect(lines.join()).not.toContain('geheim');
});

test('a mail server without a recipient, and a recipient without a mail server, are refused', () => {
  const together = /^ALERT_SMTP_URL and ALERT_MAIL_TO must be set together/;
  for (const one of [{ ALERT_SMTP_URL: 'smtp://127.0.0.1:25' }, { ALERT_MAIL_TO: 'ana@example.com' }])
    expect(refuse({ DATABASE_URL, ...one })).toEqual([expect.stringMatching(together)]);
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
          'ALERT_WEBHOOK_URL',
          'ALERT_SMTP_URL',
          'ALERT_MAIL_TO',
          'ALERT_MAIL_FROM',
          'ALERT_MAIL_WHEN',
          'ALERT_CONSOLE_URL',
          'LOG_LEVEL',
          '__proto__',
        ),
        text,
      ),
      (variables) => {
        const lines = refuse(variables);
        for (const line of lines) expect(line).toMatch(/^[A-Z_]+ [^\r\n]{5,}$/);
        expect(lines.filter((line) => line.startsWith('DATABASE_URL')).join()).not.toContain('s3cret');
      },
    ),
    200,
  );
});

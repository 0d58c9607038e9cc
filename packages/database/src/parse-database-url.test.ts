import { fileURLToPath } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { DatabaseError } from './database-error.js';
import { parseDatabaseUrl } from './parse-database-url.js';

test.each([
  ['nothing', undefined],
  ['an empty text', '  '],
  ['no protocol', 'localhost:5432/app'],
  ['a host only', 'localhost'],
  ['another database', 'mysql://root:secret@localhost/app'],
  ['a web address', 'https://secret@example.com'],
  ['an unescaped password', 'postgres://me:secret#/@localhost:x/app'],
  ['an empty host among several', 'postgres://me:secret@h1,,h3/app'],
  ['a port that is none among several', 'postgres://me:secret@h1:5432,h2:x/app'],
  ['several hosts in a parameter', 'postgres://me:secret@h1/app?host=h1,h2'],
])('a URL that is invalid is refused without being shown: %s', (_, url) => {
  const refusal = catchError(() => parseDatabaseUrl(url));
  expect(refusal).toBeInstanceOf(DatabaseError);
  expect(refusal).toMatchObject({ code: 'database_url_invalid', fix: expect.stringContaining('DATABASE') });
  expect(String(refusal)).not.toContain('secret');
});

test('the label of a URL names host, port and database and never the password', () => {
  expect(parseDatabaseUrl('postgresql://me:p%40ss@db.example.com/shop%20x?sslmode=disable')).toMatchObject({
    label: 'db.example.com:5432/shop x',
    user: 'me',
    database: 'shop x',
    isPooled: false,
  });
});

test("the URL's own options are taken out of it, so that ours can be put behind them", () => {
  const address = parseDatabaseUrl(
    'postgres://me@h:6432/d?options=-c%20statement_timeout%3D5000&pgbouncer=true&sslmode=disable',
  );
  expect(address.options).toBe('-c statement_timeout=5000');
  expect(address.url).not.toContain('options');
  expect(address.url).toContain('sslmode=disable');
  expect(address.isPooled).toBe(true);
});

test('a URL with several hosts becomes one URL for each, in their order, and one label', () => {
  const address = parseDatabaseUrl(
    'postgres://me:a,%40b@h1:5432,[::1]:5433,h3/shop?sslmode=disable&target_session_attrs=primary',
  );
  expect(address).toMatchObject({
    url: 'postgres://me:a,%40b@h1:5432/shop?sslmode=disable',
    others: ['[::1]:5433', 'h3'].map((host) => `postgres://me:a,%40b@${host}/shop?sslmode=disable`),
    isWritten: true,
    label: 'h1:5432,[::1]:5433,h3:5432/shop',
    user: 'me',
    database: 'shop',
  });
});

test.each([
  ['postgres://h1/db', false],
  ['postgres://h1/db?target_session_attrs=read-write', true],
  ['postgres://h1,h2/db', true],
  ['postgres://h1,h2/db?target_session_attrs=any', false],
])('several hosts are for one that takes writes, unless any will do: %s', (url, isWritten) => {
  expect(parseDatabaseUrl(url).isWritten).toBe(isWritten);
});

test('sessions in which a queue could do nothing are refused', () => {
  const refusal = catchError(() =>
    parseDatabaseUrl('postgres://me:secret@h1,h2/db?target_session_attrs=prefer-standby'),
  );
  expect(refusal).toMatchObject({
    code: 'database_url_invalid',
    message:
      'The database URL asks for target_session_attrs=prefer-standby. A queue writes: say read-write, or primary, which means the same, or any.',
  });
});

test.each([`"postgres://me:secret@h/db"`, `'postgres://me:secret@h/db'`])(
  'a URL in the quotation marks of an env file is told from one that is wrong: %s',
  (url) => {
    const refusal = catchError(() => parseDatabaseUrl(url));
    expect(refusal).toMatchObject({ message: expect.stringMatching(/^The database URL is in quotation marks/) });
    expect(String(refusal)).not.toContain('secret');
  },
);

test.each([
  ['?sslmode=requires', 'The database URL asks for sslmode=requires. Say one of disable, prefer, allow, require, '],
  ['?uselibpqcompat=true&sslmode=verify-ca', 'The database URL asks for sslmode=verify-ca. Name its authority: '],
])('%s is refused, because pg would take it for something else', (query, message) => {
  const refusal = catchError(() => parseDatabaseUrl(`postgres://me:secret@h1/db${query}`));
  expect(refusal).toMatchObject({ code: 'database_url_invalid', message: expect.stringContaining(message) });
});

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
test.each(MODES.flatMap((mode) => ['', 'true', 'false'].map((compatible) => [mode, compatible] as const)))(
  'pg warns of nothing for sslmode=%s with uselibpqcompat=%s',
  (mode, compatible) => {
    const authority = `&sslrootcert=${encodeURIComponent(fileURLToPath(import.meta.url))}`;
    const compat = compatible === '' ? '' : `&uselibpqcompat=${compatible}`;
    const { url, others } = parseDatabaseUrl(`postgres://h1/db?sslmode=${mode}${authority}${compat}`);
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const ssls = [url, ...others].map((each) => new pg.Client(each).ssl);
    expect([ssls.every((ssl) => ssl !== undefined), warned.mock.calls]).toEqual([true, []]);
    warned.mockRestore();
  },
);

function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

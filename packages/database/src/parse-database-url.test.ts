import { expect, test } from '@jest/globals';
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
])('a URL that is invalid is refused without being shown: %s', (_, url) => {
  const refusal = catchError(() => parseDatabaseUrl(url));
  expect(refusal).toBeInstanceOf(DatabaseError);
  expect(refusal).toMatchObject({ code: 'database_url_invalid', fix: expect.stringContaining('DATABASE_URL') });
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

function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

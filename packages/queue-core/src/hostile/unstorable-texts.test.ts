import { expect, test } from '@jest/globals';
import { useTestDatabase } from '@duework/testing/fixtures';
import { queryRows, sql } from '@duework/sql';
import { isRefusal } from '@duework/sql/errors';

const database = useTestDatabase();
const refused = (reason: RegExp) => ({ code: 'text_not_storable', facts: { reason: expect.stringMatching(reason) } });
/** So many characters that no compression helps. */
const longText = Array.from({ length: 3_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join(
  '',
);

test.each<[string, unknown]>([
  ['a NUL', '\0'],
  ['a NUL inside', 'a\0b'],
  ['half a surrogate pair', 'a\ud800'],
  ['the other half', '\udc00a'],
  ['a NUL in a list', ['a', 'b\0']],
])('a statement with %s among its values is refused before it is sent', async (_, value) => {
  let sent = 0;
  const counting = { $queryRaw: async <T>() => (sent++, [] as T) };
  await expect(queryRows(counting, sql`SELECT ${value}`)).rejects.toMatchObject(refused(/NUL|surrogate/));
  expect(sent).toBe(0);
});

test('such a statement is refused, as those are that the database refuses: what is sent with it is sent apart', async () => {
  const error: unknown = await queryRows(database.db, sql`SELECT ${'\0'}::text`).catch((thrown: unknown) => thrown);
  expect(isRefusal(error)).toBe(true);
});

test.each<[string, string]>([
  ['a NUL', '\0'],
  ['half a surrogate pair', '\ud800'],
  ['the other half', '\udc00'],
])('%s inside JSON, where it is escaped, is refused with the same code', async (_, text) => {
  const json = JSON.stringify({ a: [text] });
  await expect(queryRows(database.db, sql`SELECT ${json}::jsonb`)).rejects.toMatchObject(refused(/NUL|surrogate/));
  const written = JSON.stringify({ a: `\\u0000 is written with a ${'\\'}` });
  expect(await queryRows(database.db, sql`SELECT ${written}::jsonb AS stored`)).toEqual([
    { stored: JSON.parse(written) },
  ]);
});

test('JSON that is none for another reason keeps the error of PostgreSQL', async () => {
  await expect(queryRows(database.db, sql`SELECT ${'{"a":'}::jsonb`)).rejects.not.toMatchObject({
    code: 'text_not_storable',
  });
});

test('a text that an index cannot hold is refused with a code', async () => {
  await database.db.$executeRaw`CREATE TABLE IF NOT EXISTS long_texts (text text PRIMARY KEY)`;
  await expect(
    queryRows(database.db, sql`INSERT INTO long_texts VALUES (${longText}) RETURNING text`),
  ).rejects.toMatchObject(refused(/longer than an index/));
});

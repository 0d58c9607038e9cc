import { Prisma } from '@duework/database';
import { expect, test } from '@jest/globals';
import { useTestDatabase } from '@duework/testing/fixtures';
import { classifyError } from '../settle/classify-error.js';
import { isRefusal, readSqlstate } from '@duework/sql/errors';

const database = useTestDatabase();
const raised = (state: string): Promise<unknown> =>
  database.db
    .$queryRaw(Prisma.raw(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`))
    .catch((error: unknown) => error);

test.each([
  ['22P02', true],
  ['23514', true],
  ['42501', false],
  ['3F000', false],
  ['40001', false],
  ['40P01', false],
  ['57P01', false],
])('an error of PostgreSQL is recognised through Prisma: %s', async (state, isRefused) => {
  const error = await raised(state);
  expect(readSqlstate(error)).toBe(state);
  expect(isRefusal(error)).toBe(isRefused);
  expect(classifyError(error).record.code).toBe(state);
});

test('a number in a message, or a code of the system, is not taken for an SQLSTATE', () => {
  expect(isRefusal(new Error('timeout of 22500 ms'))).toBe(false);
  for (const code of ['ECONNRESET', 'EPERM', 'P2025'])
    expect(readSqlstate(Object.assign(new Error('x'), { code }))).toBeNull();
});

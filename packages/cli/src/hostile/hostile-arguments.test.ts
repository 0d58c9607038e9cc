import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ContractError } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, fuzz, type TestDatabase } from '@duework/database/testing';
import { DueworkError } from '@duework/queue-core';
import { type Command, CommanderError } from 'commander';
import fc from 'fast-check';
import { createProgram } from '../create-program.js';
import { PlainError } from '../plain-error.js';
import { programParts } from '../testing/program-parts.js';
import { MomentError } from '../schedules/moment-error.js';

let database: TestDatabase;
let db: PgClient;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 2 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

async function run(args: readonly string[]): Promise<void> {
  const program = createProgram(programParts({ db: async () => db, catalog: [] }));
  const quiet = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
    command.commands.forEach(quiet);
  };
  quiet(program);
  await program.parseAsync(args, { from: 'user' });
}

/** An argument of a process has no NUL. */
const text = fc.string({ unit: 'binary', maxLength: 20 }).map((given) => given.replaceAll('\0', '').toWellFormed());
const word = fc.oneof(
  text,
  fc.constantFrom(
    '',
    '-',
    '--',
    '__proto__',
    'mine',
    '0 0 30 2 *',
    '0 0 * * FRI#L',
    '* * * * *',
    '99999d',
    '1e9d',
    '24h',
    'today',
    '2026-02-30',
    '0000-01-01',
    '9999-12-31',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '+275760-09-13T00:00:00Z',
    'Europe/Berlin',
    'Еurope/Berlin',
    '../x',
    '1',
    '0',
    '1001',
    '1.5',
    'NaN',
    'fired',
    'retry',
    'edit-payload',
    'create',
    'queue',
    'schedule',
    'status:dead',
    '-type:x',
    'two words',
    '15m',
    '0s',
  ),
);
const command = fc.constantFrom(
  'schedules',
  'jobs',
  'bulk',
  'keys',
  'audit',
  'explain',
  'show',
  'schedules due-times',
  'schedules preview',
  'pause',
  'resume',
  'schedules trigger',
  'schedules delete',
  'schedules tick',
  'help',
  'nope',
);
const option = fc.constantFrom(
  '--type',
  '--zone',
  '--limit',
  '--since',
  '--until',
  '--outcome',
  '--schedule',
  '--every',
  '--at',
  '--from',
  '--count',
  '--for',
  '--job',
  '--by',
  '--to',
  '--field',
  '--value',
  '--name',
  '--scope',
  '--expires',
  '--at-most',
  '--per-second',
  '--dry-run',
  '--json',
  '--nope',
);
const args = fc
  .tuple(
    command,
    fc.array(
      fc.oneof(
        word,
        fc.tuple(option, word).map((pair) => pair),
      ),
      { maxLength: 4 },
    ),
  )
  .map(([first, rest]) => [...first.split(' '), ...rest.flat()]);

test('a command succeeds or refuses in words, whatever its arguments are', async () => {
  await fuzz(
    fc.asyncProperty(args, async (given) => {
      const refusal = await run(given).then(
        () => null,
        (error: unknown) => error,
      );
      if (refusal === null) return;
      const isInWords =
        refusal instanceof DueworkError ||
        refusal instanceof ContractError ||
        refusal instanceof CommanderError ||
        refusal instanceof MomentError ||
        refusal instanceof PlainError;
      if (!isInWords) throw refusal;
      expect(refusal.message).not.toBe('');
    }),
    150,
  );
});

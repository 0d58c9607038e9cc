import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type ContractError, defineJob } from '@duework/contracts';
import { DatabaseError } from '@duework/database';
import { IsolationError } from '@duework/isolation';
import {
  BundledAwayError,
  DueworkError,
  EffectMisuseError,
  EffectUnknownError,
  HandlerKilledError,
  HandlersError,
  StepMisuseError,
} from '@duework/queue-core';
import { OptionsError } from '@duework/worker';
import { z } from 'zod';
import { root } from '../../../bootstrap/paths.mjs';
import { formatText } from '../format-text.js';
import { renderProblems } from './render-problems.js';

const FILE = join(root, 'docs/look-up/errors.md');
const page = readFileSync(FILE, 'utf8');
const ofStart = readFileSync(join(root, 'docs/look-up/start-errors.md'), 'utf8');

/** The members of the type of that name, out of a source. */
function codesOf(file: string, name: string): string[] {
  const body = new RegExp(String.raw`type ${name} =([^;]+);`).exec(readFileSync(join(root, file), 'utf8'))![1]!;
  return [...body.matchAll(/'(\w+)'/g)].map(([, code]) => code!);
}

test('docs/look-up/errors.md says of each problem what the API says', async () => {
  expect(page).toBe(await formatText(FILE, renderProblems(page)));
});

test.each([
  ['packages/contracts/src/contract-error.ts', 'ContractErrorCode', ofStart],
  ['packages/queue-core/src/run/check-handlers.ts', 'HandlersErrorCode', page],
  ['packages/database/src/database-error.ts', 'DatabaseErrorCode', ofStart],
  ['packages/isolation/src/isolation-error.ts', 'IsolationErrorCode', page],
  ['packages/queue-core/src/step-misuse-error.ts', 'StepMisuseCode', page],
  ['packages/client/src/client-error.ts', 'ClientErrorCode', page],
])('every code of %s has its row, to which the error leads', (file, name, there) => {
  const codes = codesOf(file, name);
  expect(codes.length).toBeGreaterThan(2);
  expect(codes.filter((code) => !there.includes(`<a id="${code}"></a>\`${code}\``))).toEqual([]);
});

const refuse = (): unknown => {
  try {
    return defineJob({ type: '', payload: z.object({}) });
  } catch (error) {
    return error;
  }
};
const FACTS = { problem: 'x', fix: 'y' };

test.each<[{ readonly code: string; readonly docs: string }, string]>([
  [new DueworkError('job_not_found', { id: '1' }), 'errors'],
  [new EffectUnknownError('x'), 'errors'],
  [new EffectMisuseError('x'), 'errors'],
  [new HandlerKilledError('x'), 'errors'],
  [new StepMisuseError('not_durable', 'x'), 'errors'],
  [new IsolationError('thread_exited', 'x'), 'errors'],
  [refuse() as ContractError, 'start-errors'],
  [new HandlersError('handler_missing', 'x', 'x'), 'errors'],
  [new BundledAwayError('x'), 'errors'],
  [new DatabaseError('not_replicated', FACTS), 'start-errors'],
  [new OptionsError([]), 'errors'],
])('%p leads to its row', ({ code, docs }, file) => {
  expect(docs).toBe(`https://github.com/duework/duework/blob/main/docs/look-up/${file}.md#${code}`);
  expect(file === 'errors' ? page : ofStart).toContain(`<a id="${code}"></a>`);
});

test('every code of a refusal of the library is a problem, so that it has its row, too', () => {
  const source = readFileSync(join(root, 'packages/sql/src/errors/errors.ts'), 'utf8');
  const table = source.slice(source.indexOf('const MESSAGES'), source.indexOf('} as const;'));
  const codes = [...table.matchAll(/^ {2}(\w+): \(f/gm)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(60);
  expect(codes.filter((code) => !page.includes(`<a id="${code}"></a>\`${code}\``))).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { defineJob } from '@duework/contracts';
import { DueworkError } from '@duework/queue-core';
import { z } from 'zod';
import { root } from '../../../bootstrap/paths.mjs';
import { formatText } from '../format-text.js';
import { renderProblems } from './render-problems.js';

const FILE = join(root, 'docs/look-up/errors.md');
const page = readFileSync(FILE, 'utf8');

/** The members of the type of that name, out of a source. */
function codesOf(file: string, name: string): string[] {
  const body = new RegExp(String.raw`type ${name} =([^;]+);`).exec(readFileSync(join(root, file), 'utf8'))![1]!;
  return [...body.matchAll(/'(\w+)'/g)].map(([, code]) => code!);
}

test('docs/look-up/errors.md says of each problem what the API says', async () => {
  expect(page).toBe(await formatText(FILE, renderProblems(page)));
});

test.each([
  ['packages/contracts/src/contract-error.ts', 'ContractErrorCode'],
  ['packages/queue-core/src/run/check-handlers.ts', 'HandlersErrorCode'],
])('every code of %s has its row there, to which the command line links', (file, name) => {
  const codes = codesOf(file, name);
  expect(codes.length).toBeGreaterThan(2);
  expect(codes.filter((code) => !page.includes(`<a id="${code}"></a>\`${code}\``))).toEqual([]);
});

test('a thrown error leads to its row there', () => {
  const PAGE = 'https://github.com/duework/duework/blob/main/docs/look-up/errors.md';
  expect(new DueworkError('job_not_found', { id: '1' }).docs).toBe(`${PAGE}#job_not_found`);
  const refused = expect.objectContaining({ code: 'invalid_job_type', docs: `${PAGE}#invalid_job_type` });
  expect(() => defineJob({ type: '', payload: z.object({}) })).toThrow(refused as unknown as Error);
});

test('every code of a refusal of the library is a problem, so that it has its row, too', () => {
  const source = readFileSync(join(root, 'packages/sql/src/errors/errors.ts'), 'utf8');
  const table = source.slice(source.indexOf('const MESSAGES'), source.indexOf('} as const;'));
  const codes = [...table.matchAll(/^ {2}(\w+): \(f/gm)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(60);
  expect(codes.filter((code) => !page.includes(`<a id="${code}"></a>\`${code}\``))).toEqual([]);
});

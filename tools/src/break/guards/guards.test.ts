import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../../../bootstrap/paths.mjs';
import { listSources } from '../../check/imports/list-sources.js';
import { guards, pickGuards } from './guards.js';
import { findNotGreen, type JestReport, type JestTest, judgeRed, titleOf } from './judge.js';
import { withoutGuard } from './remove-guard.js';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('a guard is where the list says', () => {
  test.each(guards)('$name', ({ name, edits, tests }) => {
    const sources = new Map<string, string>();
    for (const edit of edits)
      sources.set(edit.file, withoutGuard(sources.get(edit.file) ?? read(edit.file), edit, name));
    for (const { file, from = file, title } of tests) {
      expect(existsSync(join(root, file))).toBe(true);
      expect({ title, times: read(from).split(title).length > 1 }).toEqual({ title, times: true });
    }
  });

  test('and has a name of its own', () => {
    expect(new Set(guards.map(({ name }) => name)).size).toBe(guards.length);
    expect(pickGuards(['rescue-recheck']).map(({ name }) => name)).toEqual(['rescue-recheck']);
    expect(() => pickGuards(['nobody'])).toThrow('There is no guard nobody. Known: key-secret, ');
  });

  test('and no file bears a mark for this tool: a guard is found from outside', () => {
    const marked = listSources(root)
      .filter((path) => !path.startsWith('tools/src/break/guards/'))
      .filter((path) => /^[ \t]*(?:\/\/|--)[ \t]*guard(?: end)?:/m.test(read(path)));
    expect(marked).toEqual([]);
  });
});

describe('a guard is noticed', () => {
  const named = { file: 'a.test.ts', title: 'a late %s changes nothing: %j', of: 'settlement' };
  const guard = { tests: [named] };
  const title = 'a late settlement changes nothing: {"id":1}';
  const report = (...assertionResults: JestTest[]): JestReport => ({
    testResults: [{ name: '/copy/a.test.ts', message: '', assertionResults }],
  });
  const failing = (...failureMessages: string[]): JestReport => report({ title, status: 'failed', failureMessages });

  test('when its test fails by an expectation of its own', () => {
    expect(judgeRed(failing('Error: \u001B[2mexpect(\u001B[22mreceived).toEqual(expected)'), guard).isNoticed).toBe(
      true,
    );
  });

  test.each([
    ['its test is green', report({ title, status: 'passed', failureMessages: [] }), 'passed all the same'],
    [
      'its test breaks on the way',
      failing('SyntaxError: Unexpected token'),
      'not by an expectation of its own: SyntaxError',
    ],
    [
      'its test hangs',
      failing('thrown: "Exceeded timeout of 60000 ms for a test.'),
      'not by an expectation of its own',
    ],
    [
      'another one fails',
      report({ title: 'a late heartbeat changes nothing: 1', status: 'failed', failureMessages: ['expect('] }),
      'was not run',
    ],
    [
      'nothing ran',
      { testResults: [{ name: '/copy/a.test.ts', message: 'Cannot find module', assertionResults: [] }] },
      'did not run: Cannot find module',
    ],
  ])('not when %s', (_, given, how) => {
    expect(judgeRed(given, guard)).toEqual({ isNoticed: false, how: expect.stringContaining(how) });
  });

  test('by a refusal of the database, where the guard says so', () => {
    expect(judgeRed(failing('error: deadlock detected'), { ...guard, error: /deadlock/ }).isNoticed).toBe(true);
  });

  test('and its test is green as long as the guard is there', () => {
    expect(findNotGreen(report({ title, status: 'passed', failureMessages: [] }), [named])).toBeNull();
    expect(findNotGreen(failing('expect('), [named])).toContain('is failed');
    expect(findNotGreen(report(), [named])).toBe(
      'no test of a.test.ts is called "a late settlement changes nothing: %j"',
    );
    expect(
      findNotGreen(
        { testResults: [{ name: '/copy/a.test.ts', message: 'Cannot find module', assertionResults: [] }] },
        [named],
      ),
    ).toContain('did not run: Cannot find module');
    expect(titleOf(named)).toBe('a late settlement changes nothing: %j');
  });
});

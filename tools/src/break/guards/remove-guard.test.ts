import { describe, expect, test } from '@jest/globals';
import { withoutGuard } from './remove-guard.js';

const file = 'settle.ts';
const FIND = 'if (!isOurs) throw new LeaseLostError({ id, fence });';
const EDIT = { file, find: FIND, replace: '' };
const around = (text: string): string => `before();\n  ${text}\n  after();`;

const SQL = `
  UPDATE duework.job_runs j SET status = 'succeeded'
  WHERE j.id = \${id} AND j.fence = \${fence}
  RETURNING j.id;
  DELETE FROM duework.job_runs j
  WHERE j.id = \${id} AND j.fence = \${fence};`;

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

describe('a guard is taken out by its text', () => {
  test.each([
    FIND,
    'if (!isOurs)\n    throw new LeaseLostError({ id, fence });',
    'if (!isOurs)\n    throw new LeaseLostError({\n      id,\n      fence,\n    });',
    'if (!isOurs)\n    // somebody else has it\n    throw new LeaseLostError({ id, fence });',
  ])('however its lines are broken, and nothing else: %j', (broken) => {
    expect(lines(withoutGuard(around(broken), EDIT, 'fence'))).toEqual(['before();', 'after();']);
  });

  test('a long one by its beginning and its end, in one paragraph', () => {
    const edit = { file, find: 'if (!isOurs) ⋯ });', replace: 'void isOurs;' };
    expect(withoutGuard(`${around(FIND)}\n  other({});`, edit, 'fence')).toBe(
      `${around('void isOurs;')}\n  other({});`,
    );
    expect(() => withoutGuard(around(FIND.replace('throw', '\n\nthrow')), edit, 'fence')).toThrow('has 0 times');
  });

  test('also in the markup of a page', () => {
    const page = '<footer>\n  {isDead && <Retry id={job.id} />}\n  {note}\n</footer>';
    const edit = { file: 'page.tsx', find: '{isDead && ⟦<Retry id={job.id} />⟧}', replace: 'null' };
    const broken = page.replace('<Retry id={job.id} />', '<Retry\n    id={job.id}\n  />');
    for (const source of [page, broken])
      expect(lines(withoutGuard(source, edit, 'retry'))).toEqual([
        '<footer>',
        '{isDead && null}',
        '{note}',
        '</footer>',
      ]);
  });

  test('of two that are the same by what is around the one that is meant', () => {
    const find = 'DELETE FROM duework.job_runs j WHERE j.id = ${id} ⟦AND j.fence = ${fence}⟧';
    expect(withoutGuard(SQL, { file, find, replace: 'AND true' }, 'fence')).toBe(
      SQL.replace(/AND j\.fence = \$\{fence\};$/, 'AND true;'),
    );
  });
});

describe('a guard that is no longer where it was is told', () => {
  test.each([
    ['it is gone', around('')],
    ['it says something else', around(FIND.replace('!isOurs', 'isOurs'))],
    ['a word of it has become longer', around(FIND.replace('LeaseLostError', 'LeaseLostErrors'))],
    ['it is there twice', around(`${FIND}\n${FIND}`)],
    ['two words have become one', around(FIND.replace('throw new', 'thrownew'))],
  ])('when %s', (_, source) => {
    expect(() => withoutGuard(source, EDIT, 'fence')).toThrow(
      /^The guard fence is no longer where it was: settle\.ts has [02] times/,
    );
  });

  test('when what stands there instead is what stands there: nothing was taken out', () => {
    expect(() => withoutGuard(around(FIND), { ...EDIT, replace: FIND }, 'fence')).toThrow(
      'what stands in settle.ts instead is the same',
    );
  });
});

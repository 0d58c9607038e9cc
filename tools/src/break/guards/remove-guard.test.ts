import { describe, expect, test } from '@jest/globals';
import { withoutGuard } from './remove-guard.js';

const EDIT = { file: 'settle.ts', region: 'fence' };

const TYPESCRIPT = `
export function settle(isOurs: boolean): void {
  before();
  // guard: fence
  if (!isOurs) throw new LeaseLostError();
  // guard end: fence
  after();
}
`;

const SQL = `
const settle = sql\`
  UPDATE duework.job_runs j SET status = 'succeeded'
  WHERE j.id = \${id}
    -- guard: fence
    -- a late worker changes nothing
    AND j.fence = \${fence}
    -- guard end: fence
  RETURNING j.id\`;
`;

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

describe('a guard is taken out by its markers', () => {
  test('with all that is between them, and nothing else', () => {
    expect(lines(withoutGuard(TYPESCRIPT, { ...EDIT, replace: '' }, 'fence'))).toEqual([
      'export function settle(isOurs: boolean): void {',
      'before();',
      '// guard: fence',
      '// guard end: fence',
      'after();',
      '}',
    ]);
  });

  test('whatever a formatter has made of the lines between', () => {
    const broken = TYPESCRIPT.replace('if (!isOurs) throw new', 'if (!isOurs)\n    throw new');
    expect(broken).not.toBe(TYPESCRIPT);
    expect(withoutGuard(broken, { ...EDIT, replace: 'void isOurs;' }, 'fence')).toBe(
      withoutGuard(TYPESCRIPT, { ...EDIT, replace: 'void isOurs;' }, 'fence'),
    );
  });

  test('and what stands there instead may be made of what was there', () => {
    const replace = (text: string): string => `if (Math.random() > 1) { ${text} }`;
    expect(withoutGuard(TYPESCRIPT, { ...EDIT, replace }, 'fence')).toContain(
      'if (Math.random() > 1) { if (!isOurs) throw new LeaseLostError(); }\n',
    );
  });

  test('in the text of a statement, too, where the clause that follows is left on a line of its own', () => {
    expect(lines(withoutGuard(SQL, { ...EDIT, replace: 'AND true' }, 'fence')).slice(-5)).toEqual([
      'WHERE j.id = ${id}',
      '-- guard: fence',
      'AND true',
      '-- guard end: fence',
      'RETURNING j.id`;',
    ]);
  });

  test('also beside another one, whose name begins like its own', () => {
    const both = TYPESCRIPT.replace(
      '  after();',
      '  // guard: fence-in\n  inside();\n  // guard end: fence-in\n  after();',
    );
    expect(withoutGuard(both, { ...EDIT, replace: '' }, 'fence')).toContain('inside();');
    expect(withoutGuard(both, { ...EDIT, region: 'fence-in', replace: '' }, 'fence-in')).not.toContain('inside();');
  });
});

describe('a guard that is no longer where it was is told', () => {
  const close = '  // guard end: fence\n';

  test.each([
    ['its marker is gone', TYPESCRIPT.replace('// guard: fence', ''), 'settle.ts has "guard: fence" 0 times'],
    ['its marker is there twice', TYPESCRIPT + TYPESCRIPT, 'settle.ts has "guard: fence" 2 times'],
    ['its end is gone', TYPESCRIPT.replace(close, ''), 'settle.ts has "guard end: fence" 0 times'],
    [
      'it ends before it begins',
      `${close}${TYPESCRIPT.replace(close, '')}`,
      'closes "guard: fence" before it opens it',
    ],
    [
      'its markers hold nothing',
      TYPESCRIPT.replace('if (!isOurs) throw new LeaseLostError();', ''),
      'has nothing between the markers of "fence"',
    ],
  ])('when %s', (_, source, words) => {
    expect(() => withoutGuard(source, { ...EDIT, replace: '' }, 'fence')).toThrow(
      `The guard fence is no longer where it was: `,
    );
    expect(() => withoutGuard(source, { ...EDIT, replace: '' }, 'fence')).toThrow(words);
  });

  test('when what stands there instead is what stands there: nothing was taken out', () => {
    expect(() => withoutGuard(TYPESCRIPT, { ...EDIT, replace: (text) => text.replace('moved', '') }, 'fence')).toThrow(
      'what stands there instead of "fence" in settle.ts is the same',
    );
  });
});

describe('a guard is found by its text', () => {
  const edit = { file: 'settle.ts', find: 'if (!isOurs) throw new LeaseLostError({ id, fence });', replace: '' };

  test.each([
    'if (!isOurs) throw new LeaseLostError({ id, fence });',
    'if (!isOurs)\n    throw new LeaseLostError({ id, fence });',
    'if (!isOurs)\n    throw new LeaseLostError({\n      id,\n      fence,\n    });',
  ])('however its lines are broken: %j', (broken) => {
    expect(lines(withoutGuard(`before();\n${broken}\nafter();`, edit, 'fence'))).toEqual(['before();', 'after();']);
  });

  test.each([
    ['not at all', 'if (isOurs) throw new LeaseLostError({ id, fence });'],
    ['a word longer', 'if (!isOurs) throw new LeaseLostErrors({ id, fence });'],
    ['twice', `${edit.find}\n${edit.find}`],
  ])('and not where it is there %s', (_, source) => {
    expect(() => withoutGuard(source, edit, 'fence')).toThrow(
      'The guard fence is no longer where it was: settle.ts has',
    );
  });
});

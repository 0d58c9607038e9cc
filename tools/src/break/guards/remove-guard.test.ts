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

  test('when its text is not there exactly once, where no marker can stand', () => {
    const edit = { file: 'lock.sql', find: 'FOR UPDATE', replace: '' };
    expect(withoutGuard('SELECT 1 FOR UPDATE', edit, 'lock')).toBe('SELECT 1 ');
    for (const source of ['SELECT 1', 'FOR UPDATE FOR UPDATE'])
      expect(() => withoutGuard(source, edit, 'lock')).toThrow('The guard lock is no longer where it was: lock.sql');
  });
});

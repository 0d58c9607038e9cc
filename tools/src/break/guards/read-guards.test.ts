import { expect, test } from '@jest/globals';
import { readGuards } from './read-guards.js';

const LIST = `# fence: a late settlement: changes nothing
@ settle.ts
- AND j.fence =
- \${fence}
+
- held = 1
+ held = 2
+ held = 3
? settle.test.ts < cases.ts
! a late %s changes nothing | settlement
# key: a key is unique
- UNIQUE (key)
! of two producers one makes a run
~ job_keys_pkey
`;

test('a list says of each guard what goes, what comes instead, and which test goes red', () => {
  expect(readGuards(LIST)).toEqual([
    {
      name: 'fence',
      says: 'a late settlement: changes nothing',
      edits: [
        { file: 'settle.ts', find: 'AND j.fence =\n${fence}', replace: '' },
        { file: 'settle.ts', find: 'held = 1', replace: 'held = 2\nheld = 3' },
      ],
      tests: [{ file: 'settle.test.ts', from: 'cases.ts', title: 'a late %s changes nothing', of: 'settlement' }],
    },
    {
      name: 'key',
      says: 'a key is unique',
      edits: [{ file: 'settle.ts', find: 'UNIQUE (key)', replace: '' }],
      tests: [{ file: 'settle.test.ts', from: 'cases.ts', title: 'of two producers one makes a run' }],
      error: /job_keys_pkey/,
    },
  ]);
});

test('a line that says nothing of a guard is refused', () => {
  expect(() => readGuards('- text')).toThrow('This belongs to no guard: - text');
  expect(() => readGuards('# key: is unique\nUNIQUE')).toThrow('The guard key has a line without a sign: UNIQUE');
});

import { expect, test } from '@jest/globals';
import { failWhenForced } from './fail-when-forced.js';

const green = { code: 0, isForced: false, passed: 12, failed: 0, skipped: 0 };

test('a run fails when jest had to kill one of its workers, although every test has passed', () => {
  expect(failWhenForced(green)).toBe(green);
  expect(failWhenForced({ ...green, isForced: true })).toMatchObject({ code: 1, passed: 12, failed: 1 });
});

test('a run that has failed anyway keeps its own exit code and count', () => {
  expect(failWhenForced({ ...green, isForced: true, code: 130, failed: 3 })).toMatchObject({ code: 130, failed: 3 });
});

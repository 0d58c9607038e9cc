import { expect, test } from '@jest/globals';
import type { Step } from '../../api/use-steps.js';
import { compareFields } from './compare-fields.js';
import { compareSteps } from './compare-steps.js';

const step = (name: string, status: Step['status'] = 'done', ms = 10): Step =>
  ({
    name,
    status,
    beganAt: '2026-01-01T00:00:00.000Z',
    doneAt: status === 'waiting' ? null : new Date(Date.parse('2026-01-01T00:00:00.000Z') + ms).toISOString(),
  }) as Step;

test('steps stand side by side in their order, and what only one of them has stands where it was taken', () => {
  const failed = [step('reserve', 'done', 900), step('charge', 'failed'), step('free')];
  const fine = [step('reserve', 'done', 300), step('charge'), step('mail'), step('wait for paid', 'waiting')];
  const pairs = compareSteps(failed, fine);
  expect(pairs.map(({ name, one, other, differs }) => [name, one?.status, other?.status, differs])).toEqual([
    ['reserve', 'done', 'done', false],
    ['charge', 'failed', 'done', true],
    ['free', 'done', undefined, true],
    ['mail', undefined, 'done', true],
    ['wait for paid', undefined, 'waiting', true],
  ]);
  expect(pairs.map(({ times }) => times)).toEqual([3, null, null, null, null]);
  expect(compareSteps(fine, failed).map(({ times }) => times)).toEqual([null, null, null, null, null]);
  expect(compareSteps([], [])).toEqual([]);
});

test('fields stand side by side as they are written, also numbers that JavaScript cannot hold', () => {
  expect(
    compareFields(
      '{"id":12345678901234567890,"to":{"name":"Ana","zip":1},"list":[1,2]}',
      '{"id":12345678901234567891,"to":{"name":"Ana"},"list":[1, 2],"x":null}',
    ),
  ).toEqual([
    { path: 'id', one: '12345678901234567890', other: '12345678901234567891', differs: true },
    { path: 'to.name', one: '"Ana"', other: '"Ana"', differs: false },
    { path: 'to.zip', one: '1', other: null, differs: true },
    { path: 'list', one: '[1,2]', other: '[1, 2]', differs: false },
    { path: 'x', one: null, other: 'null', differs: true },
  ]);
  expect(compareFields('7', '8')).toEqual([{ path: '', one: '7', other: '8', differs: true }]);
  expect(compareFields('{}', '{}')).toEqual([]);
});

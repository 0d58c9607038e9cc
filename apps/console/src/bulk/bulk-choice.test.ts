import { expect, test } from '@jest/globals';
import { NO_CHOICE, readChoice } from './bulk-choice.js';

const filter = 'status:dead';

test('what was typed becomes the request of each verb', () => {
  expect(readChoice('retry', filter, { ...NO_CHOICE, effects: 'not', perSecond: '10' })).toEqual({
    verb: 'retry',
    filter,
    effectsHappened: false,
    perSecond: 10,
  });
  expect(readChoice('reschedule', filter, { ...NO_CHOICE, runAt: '2026-11-23T10:00Z', spreadMinutes: '5' })).toEqual({
    verb: 'reschedule',
    filter,
    runAt: '2026-11-23T10:00:00.000Z',
    spreadSeconds: 300,
  });
  expect(readChoice('edit_payload', filter, { ...NO_CHOICE, path: 'address.zip', value: '"10115"' })).toEqual({
    verb: 'edit_payload',
    filter,
    path: ['address', 'zip'],
    value: '10115',
  });
});

test('a field of a payload without a value is removed', () => {
  expect(readChoice('edit_payload', filter, { ...NO_CHOICE, path: 'note' })).toEqual({
    verb: 'edit_payload',
    filter,
    path: ['note'],
  });
});

test.each([
  ['reschedule', {}],
  ['change_priority', {}],
  ['change_priority', { priority: 'x' }],
  ['change_queue', { queue: ' ' }],
  ['edit_payload', { path: 'a..b' }],
  ['edit_payload', { path: 'a', value: '{' }],
  ['edit_payload', { path: 'a', value: '9007199254740993' }],
  ['cancel', { perSecond: '-1' }],
] as const)('%s with %j is no request yet', (verb, typed) => {
  expect(readChoice(verb, filter, { ...NO_CHOICE, ...typed })).toBeNull();
});

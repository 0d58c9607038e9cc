import { expect, test } from '@jest/globals';
import { findCompletion } from './find-completion.js';

/** What is typed where `|` stands. */
const at = (text: string) => findCompletion(text.replace('|', ''), text.indexOf('|'));

test.each([
  ['|', { field: null, typed: '', from: 0, to: 0 }],
  ['sta|', { field: null, typed: 'sta', from: 0, to: 3 }],
  ['type:a -que|ue:x', { field: null, typed: 'que', from: 8, to: 13 }],
  ['status:de|', { field: 'status', typed: 'de', from: 7, to: 9 }],
  ['status:dead,fa| type:x', { field: 'status', typed: 'fa', from: 12, to: 14 }],
  ['payload.ord|', { field: null, typed: 'payload.ord', from: 0, to: 11 }],
])('%s is completed at the caret', (text, completion) => {
  expect(at(text)).toEqual(completion);
});

test.each(['"no such |', 'status:dead "no such mailbox"|', 'key:"a b"|'])(
  '%s is not: quotes keep what is typed',
  (text) => {
    expect(at(text)).toBeNull();
  },
);

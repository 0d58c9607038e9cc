import { expect, test } from '@jest/globals';
import { findCompletion } from './find-completion.js';
import { listSuggestions, type Vocabulary } from './list-suggestions.js';

const vocabulary: Vocabulary = {
  types: ['send_invoice', 'send_receipt'],
  queues: ['default', 'a queue'],
  schedules: ['nightly'],
  workers: ['mail-1'],
  rules: ['limit/smtp'],
  shards: [],
  fields: new Map([
    ['send_invoice', ['orderId']],
    ['send_receipt', ['receiptId', 'email']],
  ]),
  asked: null,
};
const suggest = (text: string) =>
  listSuggestions(findCompletion(text, text.length)!, text, vocabulary).map(({ insert }) => insert);

test('a field is suggested by its beginning, a value by any part of it', () => {
  expect(suggest('sta')).toEqual(['status:']);
  expect(suggest('type:rec')).toEqual(['send_receipt']);
});

test('nothing is suggested that is there already', () => {
  expect(suggest('status:dead')).toEqual([]);
  expect(suggest('type:send_invoice')).toEqual([]);
});

test('a name that the language would split is suggested in quotes', () => {
  expect(suggest('queue:')).toEqual(['default', '"a queue"']);
});

test('the fields of a payload are those of the types that the filter names', () => {
  expect(suggest('type:send_receipt payload.')).toEqual(['payload.email:', 'payload.receiptId:']);
  expect(suggest('payload.')).toEqual(['payload.email:', 'payload.orderId:', 'payload.receiptId:']);
});

test('the kinds of gates and the rules are suggested where a filter is about them', () => {
  expect(suggest('held:br')).toEqual(['breaker']);
  expect(suggest('gate:sm')).toEqual(['limit/smtp']);
});

test('a word that is no field is looked for in errors', () => {
  expect(suggest('ECONNREFUSED')).toEqual(['error:ECONNREFUSED']);
});

test('shards are suggested where there are several databases', () => {
  const over = (text: string) =>
    listSuggestions(findCompletion(text, text.length)!, text, { ...vocabulary, shards: ['a', 'b'] }).map(
      ({ insert }) => insert,
    );
  expect(over('sha')).toContain('shard:');
  expect(over('shard:')).toEqual(['a', 'b']);
  expect(suggest('sha')).not.toContain('shard:');
});

test('where a filter may ask for some fields alone, no other is suggested', () => {
  const asked = { ...vocabulary, asked: ['status', 'type', 'queue'] };
  const among = (text: string) =>
    listSuggestions(findCompletion(text, text.length)!, text, asked).map(({ insert }) => insert);
  expect(among('')).toEqual(['status:', 'type:', 'queue:']);
  expect(among('ECONN')).toEqual([]);
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keepsNumbers } from './keeps-numbers.js';
import { layOutJson } from './lay-out-json.js';
import { listFields } from './list-fields.js';
import { readMembers } from './read-members.js';

test('a number that JavaScript cannot hold stays what it is', () => {
  const text = '{"id":"1","payload":{"n":12345678901234567890,"x":1.10},"result":[9007199254740993]}';
  expect(readMembers(text).get('payload')).toBe('{"n":12345678901234567890,"x":1.10}');
  expect(layOutJson(readMembers(text).get('result')!)).toBe('[\n  9007199254740993\n]');
});

test('every member of an object is found, and laid out it is the same value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);
      const members = readMembers(text);
      // a name that is there twice cannot be: JSON.stringify writes each once
      const read = Object.fromEntries([...members].map(([name, raw]) => [name, JSON.parse(raw) as unknown]));
      expect(JSON.stringify(read)).toBe(text);
      expect(JSON.stringify(JSON.parse(layOutJson(text)))).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test('the fields of a payload are those that can be edited, as they are written', () => {
  const json = '{"id":9007199254740993,"address":{"zip":"10115","none":{}},"tags":[1,{"a":2}],"a.b":1}';
  expect(listFields(json)).toEqual([
    { path: 'id', json: '9007199254740993' },
    { path: 'address.zip', json: '"10115"' },
    { path: 'address.none', json: '{}' },
    { path: 'tags', json: '[1,{"a":2}]' },
  ]);
});

test.each([
  ['9007199254740991', true],
  ['{"a":"9007199254740993"}', true],
  ['[9007199254740993]', false],
  ['-12345678901234567890', false],
])('whether JavaScript keeps the numbers of %s: %s', (json, isKept) => {
  expect(keepsNumbers(json)).toBe(isKept);
});

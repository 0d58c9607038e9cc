import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { layOutJson } from './lay-out-json.js';
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

import { expect, test } from '@jest/globals';
import { printDraft } from './print-draft.js';
import { readField } from './read-field.js';
import { startDraft } from './start-draft.js';

const INTEGER = { type: 'integer', maximum: Number.MAX_SAFE_INTEGER };
const field = readField({
  type: 'object',
  properties: {
    id: INTEGER,
    note: { type: 'string' },
    tone: { type: 'string', enum: ['plain', 'warm'] },
    until: { anyOf: [{ $ref: '#/$defs/day' }, { type: 'null' }] },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { sku: { type: 'string' }, count: INTEGER }, required: ['sku', 'count'] },
    },
    extra: { type: 'object', additionalProperties: {} },
  },
  required: ['id', 'tone', 'until', 'lines'],
  $defs: { day: { type: 'string', format: 'date' } },
});

test('a schema is read as the inputs that it needs', () => {
  expect(field.members.map(({ name, kind, isRequired, isNullable }) => [name, kind, isRequired, isNullable])).toEqual([
    ['id', 'integer', true, false],
    ['tone', 'choice', true, false],
    ['until', 'text', true, true],
    ['lines', 'list', true, false],
    ['note', 'text', false, false],
    ['extra', 'json', false, false],
  ]);
  expect(field.members[3]!.item!.members.map(({ name }) => name)).toEqual(['sku', 'count']);
});

test('what is typed becomes the JSON that was meant, with numbers as they are written and nothing that was left out', () => {
  const draft = {
    id: '12345678901234567890',
    note: '',
    tone: '"warm"',
    until: '',
    lines: [{ sku: 'a"b', count: 'two' }],
    extra: '{"n": 1.10}',
  };
  expect(printDraft(field, draft)).toBe(
    '{"id":12345678901234567890,"tone":"warm","until":null,"lines":[{"sku":"a\\"b","count":"two"}],"extra":{"n": 1.10}}',
  );
});

test('a payload that is put into a form comes out of it again', () => {
  const value = { id: 1, tone: 'plain', until: '2026-01-31', lines: [{ sku: 'x', count: 2 }], extra: { a: [null] } };
  expect(JSON.parse(printDraft(field, startDraft(field, value))!)).toEqual(value);
});

test('a schema that holds itself is written as JSON where it begins again', () => {
  const tree: object = {
    type: 'object',
    properties: { name: { type: 'string' }, child: { $ref: '#' } },
  };
  let deepest = readField(tree as never);
  while (deepest.members[1] !== undefined) deepest = deepest.members[1];
  expect(deepest.kind).toBe('json');
});

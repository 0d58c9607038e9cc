import { describe, expect, test } from '@jest/globals';
import { writeExactly } from '../http/exact-json.js';
import { readExactly } from './exact-answers.js';
import { mergeRows } from '@duework/queue-core/internals';
import { compileIds } from './name-ids.js';
import { nameFilter, splitFilter } from './split-filter.js';

const id = { 'x-duework-id': 'job' };

describe('ids get their names', () => {
  const compile = (schema: object, schemas: Record<string, object> = {}) =>
    compileIds(schema, (ref) => schemas[ref.split('/').at(-1)!]!, nameFilter)!;

  test('where they are marked, and nowhere else', () => {
    const nameIds = compile({ properties: { id, payload: {}, jobs: { items: { properties: { id } } } } });
    const body = { id: '1', payload: { id: '2' }, jobs: [{ id: '3', result: { id: '4' } }, null], other: '5' };
    expect(nameIds('b', body)).toEqual({
      id: 'b.1',
      payload: { id: '2' },
      jobs: [{ id: 'b.3', result: { id: '4' } }, null],
      other: '5',
    });
  });

  test('once, through references and parts', () => {
    const nameIds = compile(
      { allOf: [{ $ref: '#/Job' }, { properties: { id, batch: { anyOf: [id, { type: 'null' }] } } }] },
      { Job: { properties: { id } } },
    );
    expect(nameIds('b', { id: '1', batch: null })).toEqual({ id: 'b.1', batch: null });
  });

  test('where another field says that it is an id, in the sentence beside it, too', () => {
    const where = { 'x-duework-id-where': { field: 'kind', values: ['child'] } };
    const nameIds = compile({ items: { properties: { of: where } } });
    expect(
      nameIds('b', [
        { kind: 'child', of: '17', sentence: 'It waits for the job 17, not 170.' },
        { kind: 'signal', of: '17', sentence: '17' },
      ]),
    ).toEqual([
      { kind: 'child', of: 'b.17', sentence: 'It waits for the job b.17, not 170.' },
      { kind: 'signal', of: '17', sentence: '17' },
    ]);
  });

  test('in the facts of an explanation', () => {
    const nameIds = compile({ properties: { facts: { 'x-duework-facts': true } } });
    expect(
      nameIds('b', {
        sentence: 'The job 7 is before it.',
        facts: {
          head: { id: '7' },
          holder: { id: null },
          waits: [
            { kind: 'job', of: '8' },
            { kind: 'time', of: null },
          ],
        },
      }),
    ).toEqual({
      sentence: 'The job b.7 is before it.',
      facts: {
        head: { id: 'b.7' },
        holder: { id: null },
        waits: [
          { kind: 'job', of: 'b.8' },
          { kind: 'time', of: null },
        ],
      },
    });
  });
});

test.each([
  '{"a":9007199254740993,"b":[1.50,-0,1e21,0.1,-12],"c":"9007199254740993 \\" 1.50","d":"\\\\","e":12345678901234567890.5}',
  '[]',
  '"1.50"',
  '1.50',
  '{"a":"\\u00001e9","b":"\\u0000---","c":"number 1e9"}',
])('JSON is read and written with every digit: %s', (text) => {
  expect(writeExactly(readExactly(text))).toBe(text);
});

describe('a filter of all shards', () => {
  const shards = { names: ['a', 'b'], bareIds: undefined };
  const split = (filter: string) => Object.fromEntries(splitFilter(shards, filter));

  test.each([
    ['status:dead', { a: 'status:dead', b: 'status:dead' }],
    ['id:b.17 type:x', { b: 'id:17   type:x' }],
    ['id:b.17,a.18', { a: 'id:18       ', b: 'id:17       ' }],
    ['-id:b.17 type:x', { a: '         type:x', b: '-id:17   type:x' }],
    ['parent:a.1', { a: 'parent:1  ' }],
    ['batch:b.3f-2a', { b: 'batch:3f-2a  ' }],
    ['shard:a type:x', { a: '        type:x' }],
    ['-shard:a type:x', { b: '         type:x' }],
    ['shard:a id:b.1', {}],
    ['payload.id:b.17 "id:b.17"', { a: 'payload.id:b.17 "id:b.17"', b: 'payload.id:b.17 "id:b.17"' }],
    ['id:"b.17', { a: 'id:"b.17', b: 'id:"b.17' }],
  ])('%s', (filter, expected) => {
    expect(split(filter)).toEqual(expected);
  });

  test('refuses an id that names no shard, and a shard that there is not', () => {
    expect(() => split('id:17')).toThrow(expect.objectContaining({ code: 'shard_not_given' }));
    expect(() => split('id:z.17')).toThrow(expect.objectContaining({ code: 'unknown_shard' }));
    expect(() => split('shard:z')).toThrow(expect.objectContaining({ code: 'unknown_shard' }));
    expect(Object.fromEntries(splitFilter({ ...shards, bareIds: 'a' }, 'id:17'))).toEqual({ a: 'id:17' });
  });

  test('of one shard is shown with the names of its ids', () => {
    expect(nameFilter('b', '-id:1,2 parent:3 payload.id:4 batch:5')).toBe(
      '-id:b.1,b.2 parent:b.3 payload.id:4 batch:b.5',
    );
  });
});

test('rows are merged up to where a shard might still have what comes first', () => {
  const merge = (limit: number) =>
    mergeRows(
      [
        { shard: 'a', rows: [9, 7], hasMore: true },
        { shard: 'b', rows: [8, 6, 5], hasMore: false },
      ],
      limit,
      (one, other) => one > other,
    );
  expect(merge(2).rows).toEqual([9, 8]);
  expect(merge(9).rows).toEqual([9, 8, 7]);
  expect([...merge(9).taken]).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});

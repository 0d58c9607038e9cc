import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { CollectOptions } from './collect.js';
import { defineJob } from './define-job.js';

const payload = z.object({ n: z.int().optional(), account: z.object({ id: z.string().nullable() }).optional() });
type Given = z.infer<typeof payload>;
const define = (collect: CollectOptions<Given>, more: object = {}) =>
  defineJob({ type: 'index', payload, collect, ...more }).collect!;

describe('what a contract collects by', () => {
  test('is nothing, unless it says so', () => {
    expect(define({ max: 100, wait: '2s' })).toEqual({ max: 100, waitMs: 2_000, by: null });
    expect(define({ max: 100, wait: '2s', atOnce: 3 })).toEqual({ max: 100, waitMs: 2_000, by: null, atOnce: 3 });
    expect(defineJob({ type: 'one', payload }).collect).toBeUndefined();
  });

  test.each<[string, Given, string]>([
    ['account.id', { account: { id: 'a/b' } }, 'a/b'],
    ['account.id', { account: { id: null } }, ''],
    ['account.id', {}, ''],
    ['n', { n: 7 }, '7'],
    ['account', { account: { id: 'a' } }, '{"id":"a"}'],
  ])('is the value at the path %s of %j, as text', (by, given, expected) => {
    expect(define({ max: 2, wait: '0ms', by }).by!(given)).toBe(expected);
  });

  test('is what its function returns', () => {
    expect(define({ max: 2, wait: '1m', by: ({ n = 0 }) => n % 10 }).by!({ n: 42 })).toBe('2');
  });
});

describe('a contract is refused', () => {
  test.each<[string, object, object]>([
    ['a call of one', { max: 1, wait: '2s' }, {}],
    ['half a job', { max: 2.5, wait: '2s' }, {}],
    ['a call of more than one statement settles', { max: 1_001, wait: '2s' }, {}],
    ['a wait of more than a minute', { max: 2, wait: '61s' }, {}],
    ['a path that its payload does not have', { max: 2, wait: '2s', by: 'account.name' }, {}],
    ['something that is neither a path nor a function', { max: 2, wait: '2s', by: 7 }, {}],
    ['no call at once', { max: 2, wait: '2s', atOnce: 0 }, {}],
    ['half a call at once', { max: 2, wait: '2s', atOnce: 1.5 }, {}],
    ['isolation', { max: 2, wait: '2s' }, { isolate: {} }],
  ])('because of %s', (_, collect, more) => {
    expect(() => define(collect as CollectOptions<Given>, more)).toThrow(
      expect.objectContaining({ code: 'invalid_job_option', message: expect.stringContaining('collect') }),
    );
  });

  test('because its wait has no unit', () => {
    expect(() => define({ max: 2, wait: '2' as never })).toThrow(expect.objectContaining({ code: 'invalid_duration' }));
  });
});

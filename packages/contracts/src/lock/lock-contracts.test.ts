import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Catalog } from '../define-catalog.js';
import { defineJob } from '../define-job.js';
import { compareContracts } from './compare-contracts.js';
import { lockContracts } from './lock-contracts.js';
import { formatLock, parseLock } from './parse-lock.js';

const v1 = z.object({ to: z.string() });
const v2 = z.object({ to: z.string(), copies: z.int().default(1) });
const first = defineJob({ type: 'mail', payload: v1 });
const lift = <T>(payload: T): T => payload;
const second = defineJob({ type: 'mail', version: 2, payload: v2, past: { 1: { payload: v1, lift } } });
const other = defineJob({ type: 'letter', payload: z.object({ id: z.int() }) });

describe('a lock', () => {
  test('holds every version of every type that was ever released, with sorted keys and one newline at its end', () => {
    const lock = lockContracts([second], lockContracts([other, first]));
    expect(Object.keys(lock.types['mail']!)).toEqual(['1', '2']);
    expect(lock.types['letter']![1]!.schema).toEqual(other.payloadJsonSchema);
    const text = formatLock(lock);
    expect(text).toMatch(/^\{\n  "lockVersion": 1,\n  "types": \{\n    "letter": [^]*\}\n$/);
    expect(formatLock(parseLock(JSON.stringify(JSON.parse(text))))).toBe(text);
    expect(lockContracts([second], lock)).toEqual(lock);
  });

  test('refuses another schema under a version that was released, and takes other words for the same one', () => {
    const lock = lockContracts([first]);
    const wider = defineJob({ type: 'mail', payload: z.object({ to: z.string().optional() }) });
    expect(() => lockContracts([wider], lock)).toThrow(expect.objectContaining({ code: 'schema_changed' }));
    const described = defineJob({ type: 'mail', payload: z.object({ to: z.string().describe('whom') }) });
    expect(lockContracts([described], lock).types['mail']![1]!.schema).toEqual(described.payloadJsonSchema);
  });

  test('retires what nothing is left of, and nothing that is still read', () => {
    const lock = lockContracts([second, other], lockContracts([first]));
    const later = defineJob({ type: 'mail', version: 2, payload: v2, past: {} });
    expect(compareContracts([later], lockContracts([later], lock, { retire: ['mail@1', 'letter'] }))).toEqual([]);
    for (const [catalog, retire] of [
      [[second], 'mail@1'],
      [[later], 'mail@7'],
      [[later], 'nothing'],
    ] as const)
      expect(() => lockContracts(catalog, lock, { retire: [retire] })).toThrow(
        expect.objectContaining({ code: 'retired_in_use' }),
      );
  });

  test.each(['', '{', '[]', '{"lockVersion":2}', '{"lockVersion":1}', '{"lockVersion":1,"types":{"mail":{"one":{}}}}'])(
    'that cannot be read is refused: %s',
    (text) => {
      expect(() => parseLock(text)).toThrow(expect.objectContaining({ code: 'lock_invalid' }));
    },
  );
});

describe('against what was released', () => {
  const release = lockContracts([first, other]);
  const of = (catalog: Catalog, lock = release): unknown[] =>
    compareContracts(catalog, lock).map(({ type, version, kind, class: told, isRefused }) => [
      type,
      version,
      kind,
      told,
      isRefused,
    ]);

  test('the same catalog changes nothing', () => {
    expect(compareContracts([first, other], release)).toEqual([]);
  });

  test('new types and versions are told, with their class', () => {
    const extra = defineJob({ type: 'extra', payload: v1 });
    expect(of([second, other, extra])).toEqual([
      ['extra', 1, 'new_type', null, false],
      ['mail', 2, 'new_version', 'safe', false],
    ]);
  });

  test('a changed schema under an unchanged version is refused, also in the past, and its values are not shown', () => {
    const changed = defineJob({ type: 'mail', payload: z.object({ to: z.enum(['secret']) }) });
    const [change] = compareContracts([changed, other], release);
    expect(change).toMatchObject({ type: 'mail', version: 1, kind: 'changed_schema', isRefused: true });
    expect(change!.reasons.join()).toMatch(/^\/to .*raise the version to 2/);
    expect(JSON.stringify(change)).not.toContain('secret');
    const past = { 1: { payload: z.object({ to: z.string().max(5) }), lift } };
    expect(of([defineJob({ type: 'mail', version: 2, payload: v2, past }), other])).toContainEqual([
      'mail',
      1,
      'changed_schema',
      null,
      true,
    ]);
    const defaulted = defineJob({ type: 'mail', payload: z.object({ to: z.string(), n: z.int().default(1) }) });
    const redefaulted = defineJob({ type: 'mail', payload: z.object({ to: z.string(), n: z.int().default(2) }) });
    expect(of([redefaulted], lockContracts([defaulted]))).toEqual([['mail', 1, 'changed_schema', null, true]]);
  });

  test('a past that lacks a version, an older contract and a missing one are refused', () => {
    expect(of([defineJob({ type: 'mail', version: 2, payload: v2, past: {} }), other])).toEqual([
      ['mail', 1, 'missing_past', null, true],
      ['mail', 2, 'new_version', 'safe', false],
    ]);
    expect(of([first, other], lockContracts([second], release))).toEqual([['mail', 2, 'removed_version', null, true]]);
    expect(of([first])).toEqual([['letter', null, 'removed_type', null, true]]);
  });

  const of2 = (before: z.ZodType, after: z.ZodType): unknown => {
    const past = { 1: { payload: before, lift: (): never => undefined as never } };
    const today = defineJob({ type: 'x', version: 2, payload: after, past } as never);
    return compareContracts([today], lockContracts([defineJob({ type: 'x', payload: before })]))[0]!.class;
  };
  test.each<[string, string, z.ZodType, z.ZodType]>([
    ['safe', 'a new word for the same', z.int().min(1), z.int().gt(0)],
    [
      'safe',
      'a field that may be missing, which old workers drop',
      v1,
      z.object({ to: z.string(), cc: z.string().optional() }),
    ],
    ['safe', 'a field with a default', v1, v2],
    [
      'workers_first',
      'a field that old workers refuse',
      z.strictObject({}),
      z.strictObject({ cc: z.string().optional() }),
    ],
    ['workers_first', 'one more of an enum', z.enum(['a']), z.enum(['a', 'b'])],
    ['producers_first', 'a tighter rule', z.object({ n: z.int() }), z.object({ n: z.int().max(9) })],
    [
      'producers_first',
      'a field that becomes required',
      z.object({ a: z.string().optional() }),
      z.object({ a: z.string() }),
    ],
    ['breaking', 'a new name', v1, z.object({ recipients: z.array(z.string()) })],
    ['breaking', 'another type', z.object({ n: z.int() }), z.object({ n: z.string() })],
    ['breaking', 'what cannot be compared', z.string().regex(/a/), z.string().regex(/a+/)],
  ])('a version is %s: %s', (expected, _, before, after) => {
    expect(of2(before, after)).toBe(expected);
  });
});

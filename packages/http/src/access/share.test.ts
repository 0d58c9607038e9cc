import { expect, test } from '@jest/globals';
import type { ApiError } from '../api-error.js';
import { Share } from './share.js';

const ana = { id: 'key:1', name: 'key:ana' };
const bob = { id: 'key:2', name: 'key:bob' };

function refusalOf(take: () => unknown): string {
  try {
    take();
    return '';
  } catch (error) {
    expect((error as ApiError).headers).toEqual({ 'Retry-After': '1' });
    return (error as ApiError).code;
  }
}

test('one principal holds a quarter at the most, and leaves the rest to the others', () => {
  const share = new Share(8, 'streams');
  const first = share.take(ana);
  share.take(ana);
  expect(refusalOf(() => share.take(ana))).toBe('rate_limited');
  expect(() => share.take(ana)).toThrow('key:ana may hold 2 streams of this server at once, and holds 2.');
  expect(refusalOf(() => share.take(bob))).toBe('');
  first();
  expect(refusalOf(() => share.take(ana))).toBe('');
});

test('all together hold no more than there is, and what is given back twice counts once', () => {
  let held = 0;
  const share = new Share(4, 'bytes', (now) => (held = now));
  const stops = [1, 2, 3, 4].map((id) => share.take({ id: String(id), name: '' }));
  expect(refusalOf(() => share.take(ana))).toBe('overloaded');
  stops[0]!();
  stops[0]!();
  expect(held).toBe(3);
  expect(refusalOf(() => share.take(ana))).toBe('');
  expect(refusalOf(() => share.take(bob))).toBe('overloaded');
});

test('what is larger than a part, or than all there is, is taken by who holds nothing where that fits', () => {
  const share = new Share(8, 'bytes');
  const stop = share.take(ana, 6);
  expect(refusalOf(() => share.take(bob, 6))).toBe('overloaded');
  stop();
  share.take(bob, 20);
  expect(refusalOf(() => share.take(ana, 1))).toBe('overloaded');
});

test('requests without credentials share one part', () => {
  const share = new Share(8, 'bytes');
  share.take(undefined, 2);
  expect(refusalOf(() => share.take(undefined, 1))).toBe('rate_limited');
});

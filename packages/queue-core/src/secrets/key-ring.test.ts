import { inspect } from 'node:util';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createKeyRing } from './key-ring.js';
import { parseKeyRing } from './parse-key-ring.js';

const key = (): string => randomBytes(32).toString('base64');
const [k1, k2] = [key(), key()];

describe('a key ring', () => {
  test('encrypts with its current key and decrypts with each', () => {
    const old = createKeyRing({ current: 'k1', keys: { k1 } });
    const now = createKeyRing({ current: 'k2', keys: { k1, k2 } });
    const sealed = old.seal('"DE89"', 'a');
    expect(sealed).toMatch(/^k1:[\w-]+$/);
    expect(now.open(sealed, 'a')).toBe('"DE89"');
    expect(now.seal('x', 'a')).toMatch(/^k2:/);
    expect(old.open(now.seal('x', 'a'), 'a')).toBeNull();
  });

  test('gives each value a nonce of its own, so that equal values do not look equal', () => {
    const ring = createKeyRing({ current: 'k1', keys: { k1 } });
    expect(ring.seal('same', 'a')).not.toBe(ring.seal('same', 'a'));
  });

  test('does not decrypt what was changed, moved, cut or encrypted with other bytes under the same id', () => {
    const ring = createKeyRing({ current: 'k1', keys: { k1 } });
    const sealed = ring.seal('secret', 'pay /iban');
    const changed = (at: number): string =>
      `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    for (const forged of [changed(4), changed(25), changed(50), sealed.slice(0, 20), 'k1:', 'k1', ''])
      expect(ring.open(forged, 'pay /iban')).toBeNull();
    expect(ring.open(sealed, 'pay /bic')).toBeNull();
    expect(createKeyRing({ current: 'k1', keys: { k1: k2 } }).open(sealed, 'pay /iban')).toBeNull();
  });

  test('shows no key to whoever prints or serializes it', () => {
    const ring = createKeyRing({ current: 'k1', keys: { k1 } });
    expect(inspect(ring, { depth: 9, showHidden: true })).not.toContain(k1.slice(0, 12));
    expect(JSON.stringify(ring)).toBe('{"currentKeyId":"k1"}');
  });

  test.each<[string, object]>([
    ['a current key that is not there', { current: 'k3', keys: { k1 } }],
    ['a key that is too short', { current: 'k1', keys: { k1: randomBytes(16).toString('base64') } }],
    ['a key that is no base64', { current: 'k1', keys: { k1: `${k1.slice(0, -2)} !` } }],
    ['an id with a colon', { current: 'k:1', keys: { 'k:1': k1 } }],
  ])('is refused without showing a key: %s', (_, options) => {
    let message = '';
    try {
      createKeyRing(options as never);
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_key_ring' });
      message = (error as Error).message;
    }
    expect(message).not.toBe('');
    expect(message).not.toContain(k1.slice(0, 8));
  });

  test('is read from a variable, whose first key is the current one', () => {
    const ring = parseKeyRing(` k2:${k2}, k1:${k1} `)!;
    expect(ring.currentKeyId).toBe('k2');
    expect([ring.has('k1'), ring.has('k3')]).toEqual([true, false]);
    expect([parseKeyRing(undefined), parseKeyRing('')]).toEqual([null, null]);
    for (const wrong of ['k1', `k1:${k1},k1:${k2}`, `${k1}`])
      expect(() => parseKeyRing(wrong)).toThrow(expect.objectContaining({ code: 'invalid_key_ring' }));
  });
});

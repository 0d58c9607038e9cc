import type { KeyRing } from './key-ring.js';

/** Shared by all copies of this package: a program may load one as ESM and one as CJS. */
const SLOT = Symbol.for('duework.key-ring');
type Slot = { [SLOT]?: KeyRing | null };

/**
 * Gives this process its keys, once, before it enqueues or runs anything; null removes them. From then on this process
 * encrypts sensitive values when it stores, and decrypts them when it reads.
 */
export function setKeyRing(ring: KeyRing | null): void {
  (globalThis as Slot)[SLOT] = ring;
}

/** null: this process has none, and stores sensitive values as they are. */
export function currentKeyRing(): KeyRing | null {
  return (globalThis as Slot)[SLOT] ?? null;
}

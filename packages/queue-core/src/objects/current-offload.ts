import { DueworkError } from '@duework/sql/errors';
import type { ObjectStore } from './object-store.js';

/** `'64kB'`, `'16MB'`, or a number of bytes. A kB is 1,024 bytes. */
export type Size = number | `${number}kB` | `${number}MB`;

export interface OffloadOptions {
  /** Payloads and results whose JSON is larger go into the store, and their rows hold a reference. Default: `'64kB'`. */
  readonly above?: Size;
  /** The largest payload or result; default `'16MB'`. It is in memory whole when its job runs; a file is not. */
  readonly upTo?: Size;
  readonly store: ObjectStore;
}

export interface Offload {
  readonly aboveBytes: number;
  readonly upToBytes: number;
  readonly store: ObjectStore;
}

/** Shared by all copies of this package: a program may load one as ESM and one as CJS. */
const SLOT = Symbol.for('duework.offload');
type Slot = { [SLOT]?: Offload | null };

/**
 * Gives this process its store of large payloads and results, once, before it enqueues or runs anything; null removes it.
 * Every program that enqueues or runs such jobs needs the same store. Throws `invalid_option`.
 */
export function setOffload(options: OffloadOptions | null): void {
  (globalThis as Slot)[SLOT] = options === null ? null : readOffload(options);
}

/** null: this process has none, and refuses large payloads. */
export function currentOffload(): Offload | null {
  return (globalThis as Slot)[SLOT] ?? null;
}

/** Throws `offload_missing`. */
export function requireOffload(): Offload {
  const offload = currentOffload();
  if (offload === null) throw new DueworkError('offload_missing', {});
  return offload;
}

function readOffload({ above = '64kB', upTo = '16MB', store }: OffloadOptions): Offload {
  const aboveBytes = readSize('offload.above', above);
  const upToBytes = readSize('offload.upTo', upTo);
  if (upToBytes < aboveBytes || upToBytes > MOST_BYTES)
    throw wrong('offload.upTo', 'at least above, and at most "64MB"', upTo);
  for (const name of ['put', 'get', 'delete', 'list'] as const)
    if (typeof (store as Partial<ObjectStore> | undefined)?.[name] !== 'function')
      throw wrong('offload.store', 'an object with put, get, delete and list', store);
  return { aboveBytes, upToBytes, store };
}

const MOST_BYTES = 64 * 1024 ** 2;

function readSize(option: string, size: Size): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(kB|MB)?$/.exec(String(size)) ?? [];
  const bytes = Math.round(Number(digits) * { '': 1, kB: 1024, MB: 1024 ** 2 }[unit as '']!);
  if (bytes >= 1024) return bytes;
  throw wrong(option, 'a size of at least "1kB", such as "64kB" or "16MB"', size);
}

const wrong = (option: string, expected: string, value: unknown): DueworkError =>
  new DueworkError('invalid_option', { option, expected, value });

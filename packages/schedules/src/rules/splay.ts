import { createHash } from 'node:crypto';

/**
 * How long after its due time a schedule is due: the same for all due times of one key, spread evenly over 0 to
 * `splayMs` inclusive among keys. A splay changes when it fires, never which due time it is.
 */
export function splayOffset(key: string, splayMs: number): number {
  return createHash('sha256').update(key).digest().readUIntBE(0, 6) % (splayMs + 1);
}

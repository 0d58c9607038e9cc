import { randomBytes } from 'node:crypto';

/**
 * Returns a function that makes ids `<UTC timestamp>-<12 hex digits>`: `20251120T093005123Z-0001c0ffee42`.
 * Sorted as text they are in the order of arrival: the first four digits count within one millisecond.
 */
export function createMailIds(now: () => Date): () => string {
  let lastTimestamp = '';
  let sequence = 0;
  return () => {
    const timestamp = now().toISOString().replace(/[-:.]/g, '');
    sequence = timestamp === lastTimestamp ? (sequence + 1) % 0x1_0000 : 0;
    lastTimestamp = timestamp;
    return `${timestamp}-${sequence.toString(16).padStart(4, '0')}${randomBytes(4).toString('hex')}`;
  };
}

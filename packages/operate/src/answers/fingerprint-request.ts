import { createHash } from 'node:crypto';

/** Tells a request from another one under the same `Idempotency-Key`, by its method, its path with the query, and its body. */
export function fingerprintRequest(method: string, path: string, body: Uint8Array): string {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest('hex');
}

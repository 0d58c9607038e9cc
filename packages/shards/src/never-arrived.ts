import { findErrorCause } from '@duework/database';

/** What is told where no connection could be made, so that nothing was sent. */
const BEFORE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'DatabaseNotReachable',
  '57P03',
  '3D000',
]);

/** Whether a call has certainly written nothing, because no connection could be made for it. */
export function neverArrived(error: unknown): boolean {
  return BEFORE.has(findErrorCause(error).code);
}

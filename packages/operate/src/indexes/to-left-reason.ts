import { readSqlstate } from '@duework/sql/errors';
import type { LeftReason } from './index-care.js';

/** Why a rebuild or a drop was given up; any other error is thrown. */
export function toLeftReason(error: unknown, signal: AbortSignal | undefined): LeftReason {
  switch (readSqlstate(error)) {
    // lock_not_available, deadlock_detected
    case '55P03':
    case '40P01':
      return 'lock_held';
    // query_canceled
    case '57014':
      return signal?.aborted === true ? 'interrupted' : 'too_slow';
    default:
      throw error;
  }
}

import type { Transactable } from '@duework/queue-core';
import { ApiError } from '../api-error.js';

/** Where a queue has no database: whatever is asked of it is refused. Each route that would ask says so before, and better. */
export const NO_DATABASE: Transactable = {
  isTransaction: false,
  $queryRaw: () => Promise.reject(refusal()),
  $transaction: () => Promise.reject(refusal()),
};

const refusal = (): ApiError =>
  new ApiError('not_supported', 'That is kept in PostgreSQL, and this queue has no database.');

import { expect, test } from '@jest/globals';
import type { ApiContext } from '../api.js';
import { checkBulkFilter } from './check-bulk-filter.js';

/** A request of who has these scopes. */
const caller = (...scopes: string[]): ApiContext => ({ get: () => ({ scopes }) }) as unknown as ApiContext;

test('who may not read payloads cannot learn them by asking which jobs have them', () => {
  for (const filter of ['payload.orderId:812', 'key:invoice:812', '-payload.orderId:1'])
    expect(() => checkBulkFilter(caller('operate'), filter)).toThrow('scope payloads');
  checkBulkFilter(caller('operate'), 'type:send_invoice error:ECONNREFUSED');
  checkBulkFilter(caller('operate', 'payloads'), 'payload.orderId:812 key:invoice:812');
});

import { expect, test } from '@jest/globals';
import { joinFilter } from './join-filter.js';

test.each([
  [['status:dead', 'type:send_invoice'], 'status:dead type:send_invoice'],
  [['connection refused'], '"connection refused"'],
  [['status:dead', 'connect ECONNREFUSED 127.0.0.1:25'], 'status:dead "connect ECONNREFUSED 127.0.0.1:25"'],
  [['error:connection refused'], 'error:"connection refused"'],
  [['error: connection refused'], 'error:"connection refused"'],
  [['-key:a b'], '-key:"a b"'],
  [['payload.name:Ada Lovelace'], 'payload.name:"Ada Lovelace"'],
  [['status:dead type:send_invoice'], 'status:dead type:send_invoice'],
  [['stauts:dead type:send_invoice'], 'stauts:dead type:send_invoice'],
  [['status:dead "two words"'], 'status:dead "two words"'],
  [['TypeError: x is undefined'], '"TypeError: x is undefined"'],
  [['C:\\temp is full'], '"C:\\\\temp is full"'],
  [[], ''],
])('the arguments %p are the filter %p', (args, filter) => {
  expect(joinFilter(args)).toBe(filter);
});

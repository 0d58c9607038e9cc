import { expect, test } from '@jest/globals';
import { FrontendMessages } from './start-counting-proxy.js';

const message = (type: string, body: string): Buffer => {
  const head = Buffer.alloc(type.length + 4);
  head.write(type);
  head.writeInt32BE(body.length + 4, type.length);
  return Buffer.concat([head, Buffer.from(body)]);
};
/** A start, a password, a simple query, and a statement that is parsed, bound, executed and synced. */
const sent = Buffer.concat([
  message('', 'user=SQ'),
  message('p', 'SQ'),
  message('Q', 'BEGIN'),
  ...['P', 'B', 'E', 'S'].map((type) => message(type, type === 'S' ? '' : 'SQSQ')),
]);

test('counts a round trip for each Sync and each simple query, wherever the packets are cut', () => {
  for (let size = 1; size <= sent.length; size++) {
    const messages = new FrontendMessages();
    for (let at = 0; at < sent.length; at += size) messages.take(sent.subarray(at, at + size));
    expect([messages.roundTrips, messages.bytes]).toEqual([2, sent.length]);
  }
});

import { expect, test } from '@jest/globals';
import type { Lease } from './lease-keeper.js';
import { SharedLeases } from './shared-leases.js';

const lease = (id: number, fence = 1): Lease => ({ id: String(id), fence, leaseMs: 30_000, grantedMs: 12.5, keepUntilMs: Infinity });

test('what one side writes the other reads, however much it is', () => {
  const writer = new SharedLeases();
  const reader = new SharedLeases(writer.buffer);
  const held = Array.from({ length: 1_000 }, (_, n) => lease(n + 1));
  for (const one of held) writer.hold(one);
  expect(reader.read().toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual(held);
  for (const one of held) writer.letGo(one);
  expect(reader.read()).toEqual([]);
  writer.aliveMs = 1_234.5;
  expect(reader.aliveMs).toBe(1_234.5);
});

test('a later claim of a run takes the place of the one before, whose end then changes nothing', () => {
  const writer = new SharedLeases();
  writer.hold(lease(7, 1));
  writer.hold(lease(7, 2));
  writer.letGo(lease(7, 1));
  writer.renew({ id: '7', fence: 1, grantedMs: 99 });
  expect(writer.read()).toEqual([lease(7, 2)]);
  writer.renew({ id: '7', fence: 2, grantedMs: 99 });
  expect(writer.read()).toEqual([{ ...lease(7, 2), grantedMs: 99 }]);
});

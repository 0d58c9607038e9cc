import { expect, test } from '@jest/globals';
import { HeldLease, SharedLeases, type Lease } from './lease.js';

const lease = (id: number, fence = 1): HeldLease => new HeldLease(String(id), fence, 30_000, 12.5);
const asRead = ({ id, fence, leaseMs, grantedMs, keepUntilMs }: HeldLease): Lease => ({
  id,
  fence,
  leaseMs,
  grantedMs,
  keepUntilMs,
});

test('leases that the worker’s thread writes are read by the lease thread, however many there are', () => {
  const writer = new SharedLeases();
  const reader = new SharedLeases(writer.buffer);
  const held = Array.from({ length: 1_000 }, (_, n) => lease(n + 1));
  for (const one of held) writer.hold(one);
  expect(reader.read().toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual(held.map(asRead));
  for (const one of held) writer.letGo(one);
  expect(reader.read()).toEqual([]);
  writer.aliveMs = 1_234.5;
  expect(reader.aliveMs).toBe(1_234.5);
});

test('a lease that changes keeps its row, and letting go of one twice removes no other', () => {
  const writer = new SharedLeases();
  const [earlier, later] = [lease(7, 1), lease(7, 2)];
  writer.hold(earlier);
  writer.letGo(earlier);
  writer.hold(later);
  writer.letGo(earlier);
  expect(writer.read()).toEqual([asRead(later)]);
  later.grantedMs = 99;
  writer.hold(later);
  expect(writer.read()).toEqual([{ ...asRead(lease(7, 2)), grantedMs: 99 }]);
});

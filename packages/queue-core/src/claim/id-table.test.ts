import { expect, test } from '@jest/globals';
import { IdTable } from './id-table.js';

test('an id table finds, replaces and deletes values as a Map does', () => {
  const table = new IdTable<number>();
  const map = new Map<string, number>();
  // far more than it begins with, in an order that is its own, with ids that share a place and ids above 2^53
  for (let step = 0; step < 50_000; step++) {
    const number = (step * 7_919) % 6_007;
    const id = step % 3 === 0 ? String(2n ** 60n + BigInt(number)) : String(number);
    if (step % 5 < 3) {
      expect(table.set(id, step)).toBe(map.get(id));
      map.set(id, step);
    } else {
      if (map.has(id)) table.delete(id, map.get(id)!);
      map.delete(id);
    }
    expect(table.get(id)).toBe(map.get(id));
  }
  expect(table.size).toBe(map.size);
  expect(table.size).toBeGreaterThan(1_024);
  expect([...table.values()].toSorted((a, b) => a - b)).toEqual([...map.values()].toSorted((a, b) => a - b));
  for (const [id, value] of map) expect(table.get(id)).toBe(value);
});

test('an id that is not in the table is not found, and deleting it changes nothing', () => {
  const table = new IdTable<string>();
  table.set('80005', 'five');
  // the same place
  expect(table.get('90005')).toBeUndefined();
  table.delete('90005', 'five');
  expect([table.get('80005'), table.size]).toEqual(['five', 1]);
});

test('deleting a value that another one has replaced keeps the other one', () => {
  const table = new IdTable<string>();
  expect([table.set('80005', 'earlier'), table.set('80005', 'later')]).toEqual([undefined, 'earlier']);
  table.delete('80005', 'earlier');
  expect([table.get('80005'), table.size]).toEqual(['later', 1]);
  table.delete('80005', 'later');
  expect([table.get('80005'), table.size]).toEqual([undefined, 0]);
});

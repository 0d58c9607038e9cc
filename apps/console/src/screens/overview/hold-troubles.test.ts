import { expect, test } from '@jest/globals';
import type { Trouble } from './find-troubles.js';
import { holdTroubles } from './hold-troubles.js';

const behind = (type: string, due = 1): Trouble =>
  ({ kind: 'behind', severity: 'warning', queue: { queue: 'default', type, due } }) as Trouble;
const typesOf = (held: readonly Trouble[] | null, fresh: readonly Trouble[]) =>
  holdTroubles(held, fresh).lines.map(({ name, isOver }) => [name.split(' ').at(-1), isOver]);

test('where nobody is among them, all troubles are shown in their order', () => {
  expect(holdTroubles(null, [behind('b'), behind('a')])).toMatchObject({ newer: 0 });
  expect(typesOf(null, [behind('b'), behind('a')])).toEqual([
    ['b', false],
    ['a', false],
  ]);
});

test('where somebody is, each keeps its place: one that has ended says so, and a new one is counted', () => {
  const held = [behind('a'), behind('b')];
  const fresh = [behind('c'), behind('b', 7)];
  expect(typesOf(held, fresh)).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(holdTroubles(held, fresh)).toMatchObject({ newer: 1, lines: [{}, { trouble: { queue: { due: 7 } } }] });
});

test('a type that no longer fails keeps the place where it failed', () => {
  const of = (kind: 'failing' | 'mended'): Trouble =>
    ({ kind, severity: 'error', queue: { queue: 'default', type: 'mail' } }) as Trouble;
  expect(holdTroubles([of('failing')], [of('mended')])).toMatchObject({
    newer: 0,
    lines: [{ isOver: false, trouble: { kind: 'mended' } }],
  });
});

import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findPrograms } from '../../bootstrap/find-programs.mjs';
import { root } from '../../bootstrap/paths.mjs';
import { develop, listPrograms, purposes } from '../../bootstrap/programs.mjs';

const src = join(root, 'tools/src');
const listed = Object.keys(purposes).flatMap((purpose) =>
  Object.keys(purposes[purpose]!.programs).flatMap((name) => findPrograms(purpose, [name]) ?? []),
);

test('every program is in a list, and every line of a list is a program', () => {
  const rooms = [...Object.keys(purposes), 'develop'];
  const there = rooms.flatMap((room) =>
    readdirSync(join(src, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => basename(path) === 'main.ts')
      .map((path) => `${room}/${dirname(path)}`),
  );
  const named = listed.filter(({ bin }) => bin === undefined).map(({ main }) => main);
  expect([...new Set([...named, ...develop.map((name) => `develop/${name}`)])].sort()).toEqual(there.sort());
});

test('what is written can be compared', () => {
  const { pictures: _, ...written } = purposes['write']!.programs;
  expect(Object.keys(purposes['check']!.programs)).toEqual(expect.arrayContaining(Object.keys(written)));
  expect(findPrograms('check', ['schema'])).toMatchObject([{ main: 'write/schema', args: ['--check'] }]);
});

test('options go to the one program that is named, and several are run without', () => {
  expect(findPrograms('measure', ['bench', '--quick'])).toMatchObject([{ main: 'measure/bench', args: ['--quick'] }]);
  expect(findPrograms('check', ['imports', 'words'])).toHaveLength(2);
  expect(() => findPrograms('check', ['imports', 'words', '--serve'])).toThrow('options go to one at a time');
  expect(() => findPrograms('check', ['weather'])).toThrow('There is no "weather" to check');
});

test('without a name it lists what there is, on one screen', () => {
  expect(findPrograms('break', [])).toBeNull();
  for (const purpose of Object.keys(purposes)) {
    const lines = listPrograms(purpose).split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  }
});

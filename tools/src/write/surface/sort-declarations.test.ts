import { expect, test } from '@jest/globals';
import { compareLines } from './compare-lines.js';
import { sortDeclarations } from './describe-entries.js';

const bundle = `import { z } from "zod";
// ../rooms/b.d.ts
/** What b is. */
interface B {
  /** A number. */
  readonly n: number;
}
declare function a(one: string): B;
declare function a(one: number): B;
export { type B, a };`;

test('a report has no comments, and its declarations stand in the order of their names', () => {
  expect(sortDeclarations(bundle)).toBe(`import { z } from "zod";
interface B {
  readonly n: number;
}
declare function a(one: string): B;
declare function a(one: number): B;
export {
  a,
  type B,
};`);
});

test('a report stays the same when a declaration moves to another file', () => {
  const lines = bundle.split('\n');
  const moved = [lines[0], ...lines.slice(7, 9), ...lines.slice(1, 7), ...lines.slice(9)].join('\n');
  expect(sortDeclarations(moved)).toBe(sortDeclarations(bundle));
});

test('a difference names what went and what came', () => {
  expect(compareLines('a\nb\nb', 'a\nb\nc')).toEqual(['- b', '+ c']);
});

test('a comment takes no field with it that stands in its line', () => {
  const beside =
    'interface C {\n  /** One. */ readonly one: 1; /** Two,\n   * told at length. */\n  readonly two: 2;\n}';
  expect(sortDeclarations(beside)).toBe('interface C {\n  readonly one: 1; \n  readonly two: 2;\n}');
});

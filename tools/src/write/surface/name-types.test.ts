import { expect, test } from '@jest/globals';
import { nameTypes } from '../../../bundle/name-types.mjs';

const shared = { name: 'types-a.d.ts', text: 'interface A {}\ntype B = A;\nexport { A };\n' };
const entries = { index: 'index', 'below/other': 'other' };

test('an entry exports every type of its own, and those of what it shares with others', () => {
  const index = {
    name: 'index.d.ts',
    text: 'import { A } from "./types-a.js";\ninterface C {}\ndeclare function c(a: A): C;\nexport { c };\n',
  };
  const below = { name: 'below/other.d.ts', text: 'import { A } from "../types-a.js";\nexport { type A };\n' };
  expect(nameTypes([index, below, shared], entries).map(({ text }) => text)).toEqual([
    'import { A } from "./types-a.js";\ninterface C {}\ndeclare function c(a: A): C;\nexport { c, type C };\nexport type * from "./types-a.js";\n',
    'import { A } from "../types-a.js";\nexport { type A };\nexport type * from "../types-a.js";\n',
    'interface A {}\ntype B = A;\nexport { A, type B };\n',
  ]);
});

test('two types of one name in an entry are refused, because one of them could not be written', () => {
  const twice = {
    name: 'index.d.ts',
    text: 'import { A as A$1 } from "./types-a.js";\ninterface A {}\nexport { A };\n',
  };
  expect(() => nameTypes([twice, shared], entries)).toThrow('index.d.ts has two types of one name');
});

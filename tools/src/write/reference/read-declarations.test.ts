import { expect, test } from '@jest/globals';
import { readDeclarations, readMembers } from './read-declarations.js';

const index = `import { Money, pay as pay$1 } from "./types-a1.cjs";
interface Options {
  /** How long. */
  readonly delay?: number;
  ask(who: string, { of, at }?: { of: string;
    at: Date }): void;
}
/** Sends it.
 *
 * @throws SendError, when nobody is there
 * @throws with isStrict only
 */
declare function send<T extends (a: string) => void>(to: T, options?: Options): Promise<Money>;
declare function send(to: string, options: Options, { when }: { when: Date }, ...more: string[]): Promise<Money>;
/** See {@link send}. */
declare const later: (ms: number) => void;
/** The kinds. */
declare const KINDS: readonly ["a"];
declare class Lost extends Error {}
declare function inner(): void;
declare function tear(): void;
export { type Options, KINDS, Lost, Money, later, pay$1 as pay, send, tear as default };
export type * from "./types-a1.cjs";
`;
const shared = `/** An amount. */
interface Money { readonly cents: number }
/** Pays. */
declare function pay(money: Money): { readonly id: string; readonly paidAt: Date; readonly receipt: string };
export { Money, pay };
`;
const files = new Map([
  ['index.d.cts', index],
  ['types-a1.d.cts', shared],
]);

test('what an entry exports is told by name with its longest use and its comment, wherever it is declared; types are not', () => {
  expect(readDeclarations(files, 'index.d.cts')).toEqual([
    { name: 'KINDS', use: 'KINDS', comment: 'The kinds.' },
    { name: 'later', use: 'later(ms): void', comment: 'See `send`.' },
    { name: 'Lost', use: 'class Lost', comment: '' },
    // a result that is long is left out
    { name: 'pay', use: 'pay(money)', comment: 'Pays.' },
    {
      name: 'send',
      use: 'send(to, options, { when }, ...more): Promise<Money>',
      comment: 'Sends it.\n\n- throws `SendError`, when nobody is there\n- throws with isStrict only',
    },
    { name: 'tear', use: 'tear(): void', comment: '' },
  ]);
});

test('the members of an interface are told with their arguments', () => {
  expect(readMembers(index, 'Options')).toEqual([
    { name: 'delay', use: 'delay', comment: 'How long.' },
    { name: 'ask', use: 'ask(who, { of, at }?)', comment: '' },
  ]);
  expect(readMembers(index, 'Nothing')).toBeNull();
});

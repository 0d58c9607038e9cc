import { PlainError } from '../../../bootstrap/plain-error.mjs';
import type { Guard, GuardEdit, NamedTest } from './guard.js';

type Writable<T> = { -readonly [K in keyof T]: T[K] };
interface Draft extends Writable<Guard> {
  readonly edits: Writable<GuardEdit>[];
  readonly tests: NamedTest[];
}

/**
 * The guards of a list, a line for each thing that is said, by its sign:
 *
 *     # fence-of-settlement: a late settlement changes nothing
 *     @ packages/queue-core/src/settle.ts          where the text is; for those below, too, until another one is named
 *     - AND j.fence = ${fence}                     the text, as `findText` finds it
 *     + AND j.fence IS NOT NULL                    what stands there instead, where that is not nothing
 *     ? packages/queue-core/src/settle.test.ts     the file of the test, likewise; `a.test.ts < cases.ts` where it is
 *     ! a late %s changes nothing | settlement     written in another file. The test that goes red; `| …` is the one of a
 *     ~ duplicate key                              test.each. How it fails, where that is no expectation
 *
 * Of two texts of one file that go, and nothing comes instead, the first is followed by an empty +.
 *
 * @throws PlainError of a line without a sign, or before a guard
 */
export function readGuards(text: string): Guard[] {
  const guards: Draft[] = [];
  let file = '';
  let test = { file: '' };
  let before = '';
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const sign = line.charAt(0);
    const said = line.slice(2);
    const guard = guards.at(-1);
    if (sign === '#') guards.push(startGuard(said));
    else if (sign === '@') file = said;
    else if (sign === '?') test = readTestFile(said);
    else if (guard === undefined) throw new PlainError(`This belongs to no guard: ${line}`);
    else if (sign === '-' && before === '-') guard.edits.at(-1)!.find += `\n${said}`;
    else if (sign === '-') guard.edits.push({ file, find: said, replace: '' });
    else if (sign === '+') guard.edits.at(-1)!.replace += before === '+' ? `\n${said}` : said;
    else if (sign === '!') guard.tests.push({ ...test, ...readTitle(said) });
    else if (sign === '~') guard.error = new RegExp(said);
    else throw new PlainError(`The guard ${guard.name} has a line without a sign: ${line}`);
    before = sign;
  }
  return guards;
}

function startGuard(said: string): Draft {
  const [name, ...says] = said.split(': ');
  return { name: name!, says: says.join(': '), edits: [], tests: [] };
}

function readTestFile(said: string): { file: string; from?: string } {
  const [file, from] = said.split(' < ');
  return from === undefined ? { file: file! } : { file: file!, from };
}

function readTitle(said: string): { title: string; of?: string } {
  const [title, of] = said.split(' | ');
  return of === undefined ? { title: title! } : { title: title!, of };
}

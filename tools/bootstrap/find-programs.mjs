import { PlainError } from './plain-error.mjs';
import { develop, purposes } from './programs.mjs';

/**
 * @typedef {object} ChosenProgram
 * @property {string} name
 * @property {string} main its folder below tools/src
 * @property {readonly string[]} args
 * @property {readonly [string, ...string[]] | undefined} bin
 */

/**
 * The programs that a command line names. Null: it names none, and wants the list.
 *
 * @param {string} purpose `check`, or what has no list, such as `start`
 * @param {readonly string[]} args
 * @returns {readonly ChosenProgram[] | null}
 */
export function findPrograms(purpose, args) {
  if (develop.includes(purpose)) return [{ name: purpose, main: `develop/${purpose}`, args, bin: undefined }];
  const programs = purposes[purpose]?.programs;
  if (programs === undefined)
    throw new PlainError(
      `There is no purpose ${JSON.stringify(purpose)}; there is ${Object.keys(purposes).join(', ')}.`,
    );

  const first = args.findIndex((argument) => !Object.hasOwn(programs, argument));
  const names = first === -1 ? args : args.slice(0, first);
  const rest = args.slice(names.length);
  if (names.length === 0) {
    if (args.length === 0 || args[0] === '--help') return null;
    throw new PlainError(`There is no ${JSON.stringify(args[0])} to ${purpose}. What there is: npm run ${purpose}`);
  }
  if (names.length > 1 && rest.length > 0)
    throw new PlainError(`${JSON.stringify(rest[0])} is none of them, and options go to one at a time.`);
  return names.map((name) => {
    const { main = `${purpose}/${name}`, args: always = [], bin } = programs[name] ?? { does: '' };
    return { name, main, args: [...always, ...rest], bin };
  });
}

import { Command, InvalidArgumentError } from 'commander';

/**
 * The command line of a tool: `--help`, and a clear error for what it does not know. `runProgram` reads it.
 *
 * @param name its purpose and its own: `check imports`; or the npm script that is only this: `start`
 * @param summary what it does, for `--help`
 */
export function createProgram(name: string, summary: string): Command {
  const [script, program] = name.split(' ');
  const command = program === undefined ? `npm run ${script} --` : `npm run ${script} -- ${program}`;
  return (
    new Command(command)
      .usage('[options]')
      // the text is wrapped for the terminal; an empty line divides paragraphs
      .description(summary.replace(/(?<!\n)\n(?!\n)/g, ' '))
      .helpOption('--help', 'this text')
      .allowExcessArguments(false)
      .showHelpAfterError(`${command} --help tells what there is.`)
      .configureHelp({ helpWidth: 100 })
      .exitOverride()
  );
}

/** Parses an option that is a whole number, both bounds included. */
export function wholeNumber(min: number, max: number): (given: string) => number {
  return (given) => {
    const number = Number(given);
    if (given !== '' && Number.isInteger(number) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It is a whole number from ${min} to ${max}.`);
  };
}

/** Parses an option that lists some of the known names, with commas between: `a,b`. */
export function namesAmong(names: readonly string[]): (given: string) => string[] {
  return (given) => {
    const chosen = given.split(',');
    const unknown = chosen.find((name) => !names.includes(name));
    if (unknown === undefined) return chosen;
    throw new InvalidArgumentError(`There is no ${JSON.stringify(unknown)}; there is ${names.join(', ')}.`);
  };
}

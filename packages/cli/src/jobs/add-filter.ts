import { FILTER_FIELDS } from '@duework/filter';
import type { Command } from 'commander';
import { USAGE } from '../exit-codes.js';
import { joinFilter } from './join-filter.js';

const WORDS = 'a filter: status:dead type:send_invoice since:2h "words of an error"';

/**
 * Lets a command take a filter as its arguments. `-type:send_mail`, which looks like an option, is a term of it; a word with
 * two dashes that is no option is refused, as everywhere.
 */
export function addFilter(
  command: Command,
  argument: '[filter...]' | '<filter...>',
): { readonly command: Command; readonly readFilter: (args: readonly string[]) => string } {
  command.argument(argument, WORDS).allowUnknownOption();
  return {
    command,
    readFilter(args) {
      const unknown = args.find((arg) => arg.startsWith('--'));
      const field = FILTER_FIELDS.find((name) => unknown === `--${name}` || unknown?.startsWith(`--${name}=`));
      const hint = field === undefined ? '' : `; a filter is written without dashes: ${field}:…`;
      if (unknown !== undefined)
        command.error(`error: unknown option '${unknown}'${hint}`, {
          code: 'commander.unknownOption',
          exitCode: USAGE,
        });
      return joinFilter(args);
    },
  };
}

import type { FailureRange } from '@duework/operate';
import { type Command, Option } from 'commander';
import { PRINTED } from '../option-words.js';
import type { CommandParts } from '../program-parts.js';

/** What is shown unless all of it is asked for. */
const FEW_GROUPS = 10;
/** As the engine and the API know them. */
const RANGES: readonly FailureRange[] = ['1h', '24h', '7d', '30d'];

/** `duework failures` */
export function addFailures(program: Command, { operations, look, write }: CommandParts): void {
  program
    .command('failures')
    .description(
      'Show why jobs failed lately, by error: how many, since when, with which version, and where in the code',
    )
    .option('--type <type>', 'only of this job type')
    .addOption(new Option('--range <range>', 'how far back').choices(RANGES).default('24h'))
    .option('--all', `show every error, not only ${FEW_GROUPS}`)
    .option(...PRINTED)
    .action(async ({ type, range, all, json }: { type?: string; range: FailureRange; all?: true; json?: true }) => {
      const failures = await (await operations()).readFailures(range, type);
      if (json) return write(`${JSON.stringify(failures, null, 2)}\n`);
      const { showFailures } = await import('../shown.js');
      write(showFailures(failures, all ? Infinity : FEW_GROUPS, look));
    });
}

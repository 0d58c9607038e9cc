import type { Command } from 'commander';
import { FINDING } from '../exit-codes.js';
import { PRINTED } from '../option-words.js';
import type { CommandParts } from '../program-parts.js';

/** `duework effects` */
export function addEffects(program: Command, { operations, now, look, write, exitWith, timeZone }: CommandParts): void {
  program
    .command('effects')
    .description('What jobs did through once')
    .command('check')
    .description('Prove that jobs of a type did nothing twice; exit code 3: that is not proven')
    .requiredOption('--type <type>', 'the job type')
    .option('--since <moment>', 'from then on: yesterday, 2h, 2026-01-14, or a time with a zone', '24h')
    .option('--until <moment>', 'up to before then (default: now)')
    .option(...PRINTED)
    .action(async ({ type, json, ...span }: { type: string; since: string; until?: string; json?: true }) => {
      const { parseMoment } = await import('../schedules/parse-moment.js');
      const moment = (text: string): Date => parseMoment(text, now().getTime(), timeZone);
      const until = span.until === undefined ? undefined : moment(span.until);
      const check = await (await operations()).checkEffects({ type, since: moment(span.since), until });
      if (!check.isProven) exitWith(FINDING);
      if (json) return write(`${JSON.stringify(check, null, 2)}\n`);
      const { showEffectCheck } = await import('../shown.js');
      write(showEffectCheck(check, look));
    });
}

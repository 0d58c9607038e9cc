import { Argument, type Command } from 'commander';
import { formatMoment } from '../output/format-moment.js';
import type { PauseTarget } from '../operations/operations.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';

const KINDS = ['queue', 'type', 'schedule'] as const;

interface Given {
  readonly reason?: string;
  readonly for?: string;
  readonly until?: string;
  readonly unknown?: true;
}

/** `duework pause` and `duework resume` */
export function addPause(program: Command, { operations, now, write }: CommandParts): void {
  const verb = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .addArgument(new Argument('<kind>').choices(KINDS))
      .argument('<name>', 'the name of a queue or type, or the key of a schedule')
      .option('--reason <text>', 'the reason, for the audit and for all who see the pause');
  verb('pause', 'Pause a queue, a type or a schedule; running jobs continue')
    .option('--for <duration>', 'resume automatically after this long: 2h')
    .option('--until <time>', 'resume automatically at this time: 2026-01-14T02:00:00Z')
    .option('--unknown', 'also if no running worker knows that name')
    .action(async (kind: PauseTarget['kind'], name: string, given: Given) => {
      if (given.for !== undefined && given.until !== undefined)
        throw new PlainError('two_ends', '--for cannot be used with --until.');
      const { parseEnd } = await import('./parse-end.js');
      const until = parseEnd(given.for, given.until, now());
      const { checkKnown } = await import('../shown.js');
      if (given.unknown !== true) await checkKnown(await operations(), { kind, name });
      await (await operations()).pause({ kind, name }, { until, reason: given.reason });
      const end = until === undefined ? '' : ` until ${formatMoment(until)}`;
      write(`The ${kind} ${name} is paused${end}. Resume it with: npx duework resume ${kind} ${name}\n`);
    });
  verb('resume', 'End a pause; what a schedule missed follows its policy').action(
    async (kind: PauseTarget['kind'], name: string, { reason }: { reason?: string }) => {
      const { wasPaused, meanwhile } = await (await operations()).resume({ kind, name }, reason);
      if (!wasPaused) return write(`The ${kind} ${name} was not paused.\n`);
      if (meanwhile === undefined) return write(`The ${kind} ${name} goes on.\n`);
      write(`The schedule ${name} continues; its next due time is ${meanwhile.nextDueAt?.toISOString() ?? 'none'}.\n`);
      const { skipCount, skips, fireCount } = meanwhile;
      if (fireCount > 0)
        write(`Of the due times that came meanwhile, ${fireCount} ${fireCount === 1 ? 'runs' : 'run'} now.\n`);
      if (skipCount === 0) return;
      const more = skipCount > skips.length ? `, and ${skipCount - skips.length} older ones` : '';
      write(`Skipped: ${skips.map((dueTime) => dueTime.toISOString()).join(', ')}${more}.\n`);
      write(`To run one of them: npx duework schedules trigger ${name} --due-time ${skips[0]!.toISOString()}\n`);
    },
  );
}

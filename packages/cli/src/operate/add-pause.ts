import { Argument, type Command } from 'commander';
import { formatMoment } from '../output/format-moment.js';
import type { Operations, PauseTarget } from '../operations/operations.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { parseEnd } from './parse-end.js';

const KINDS = ['queue', 'type', 'schedule'] as const;

/** `duework pause` and `duework resume` */
export function addPause(program: Command, { operations, now, write }: CommandParts): void {
  const verb = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .addArgument(new Argument('<kind>').choices(KINDS))
      .argument('<name>', 'its name; of a schedule its key')
      .option('--reason <text>', 'why, for the audit and for those who wonder');
  verb('pause', 'No worker takes jobs of that queue or type, or the schedule fires no more; what runs goes on')
    .option('--for <duration>', 'it goes on by itself after this long: 2h')
    .option('--until <time>', 'it goes on by itself at this moment: 2026-01-14T02:00:00Z')
    .action(
      async (kind: PauseTarget['kind'], name: string, given: { reason?: string; for?: string; until?: string }) => {
        if (given.for !== undefined && given.until !== undefined)
          throw new PlainError('two_ends', '--for cannot be used with --until.');
        const until = parseEnd(given.for, given.until, now());
        await operations().pause({ kind, name }, { until, reason: given.reason });
        const end = until === undefined ? '' : ` until ${formatMoment(until)}`;
        write(`The ${kind} ${name} is paused${end}. It goes on with: duework resume ${kind} ${name}\n`);
        const isKnown = await isKnownToWorkers(operations(), { kind, name }).catch(() => true);
        if (!isKnown) write(`No live worker knows a ${kind} ${name}: is that its name?\n`);
      },
    );
  verb('resume', 'It goes on; what a schedule missed follows its policy').action(
    async (kind: PauseTarget['kind'], name: string, { reason }: { reason?: string }) => {
      const { wasPaused, nextSlotAt } = await operations().resume({ kind, name }, reason);
      if (!wasPaused) return write(`The ${kind} ${name} was not paused.\n`);
      if (nextSlotAt === undefined) return write(`The ${kind} ${name} goes on.\n`);
      write(`The ${kind} ${name} goes on; its next slot is ${nextSlotAt?.toISOString() ?? 'none'}.\n`);
    },
  );
}

/** A slip in a name pauses nothing, and nobody would see it. */
async function isKnownToWorkers(queue: Pick<Operations, 'readWorkers'>, { kind, name }: PauseTarget): Promise<boolean> {
  if (kind === 'schedule') return true;
  const workers = await queue.readWorkers();
  if (workers.length === 0) return true;
  return workers.some(({ queues, types }) =>
    kind === 'queue' ? queues.includes(name) : types.some(({ type }) => type === name),
  );
}

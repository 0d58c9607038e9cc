import type { Origin } from '@duework/operate';
import type { Act, Queryable } from '@duework/queue-core';
import type { Command } from 'commander';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { eachClient } from '../shards/each-client.js';

interface Given {
  readonly reason?: string;
  readonly yes?: true;
  readonly evenHere?: true;
}

/** `duework origin`: where a database lives, and the answer of a person where it seems to be a copy. */
export function addOrigin(program: Command, parts: CommandParts): void {
  const { write, confirm, actor } = parts;
  const act = ({ reason }: Given): Act => ({ by: actor, via: 'command', ...(reason === undefined ? {} : { reason }) });
  const each = (answer: (db: Queryable, origin: Origin) => Promise<void>): Promise<void> =>
    eachClient(parts, async (db) => answer(db, await (await import('./operate-verbs.js')).readOrigin(db)));
  const origin = program
    .command('origin')
    .description('Whether the database is where its workers have known it, or is a copy, for which no worker starts');
  origin
    .command('show', { isDefault: true })
    .description('Where it lives, and what waits there')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: true }) =>
      each(async (_, known) => write(json ? `${JSON.stringify(known, null, 2)}\n` : show(known))),
    );
  origin
    .command('moved')
    .description('Says that the system itself has moved here: workers start, and go on with what waits')
    .option('--reason <text>', 'why, for the audit')
    .action(async (given: Given) =>
      each(async (db, { database }) => {
        const { moveOrigin } = await import('./operate-verbs.js');
        await moveOrigin(db, act(given));
        write(`${database} is at home here: workers start.\n`);
      }),
    );
  origin
    .command('empty')
    .description('Says that it is a copy: drops the jobs that wait or run, pauses the schedules, keeps what is over')
    .option('--reason <text>', 'why, for the audit')
    .option('--yes', 'without a question')
    .option('--even-here', 'also a database that nothing tells from the system itself: a copy of its disks')
    .action(async (given: Given) =>
      each(async (db, known) => {
        const { database, isAtHome, jobs, schedules } = known;
        if (isAtHome && !given.evenHere)
          throw new PlainError(
            'no_copy',
            `${database} is where its workers have known it, as the system itself is. Where it is a copy of its disks all the same, add --even-here.`,
          );
        const what = `${jobs} jobs of ${database}, and pause ${schedules} schedules`;
        if (!given.yes) {
          if (confirm === undefined)
            throw new PlainError('confirmation_needed', 'Nothing was dropped: without a terminal, confirm with --yes.');
          if (!(await confirm(`Drop ${what}?`))) throw new PlainError('not_confirmed', 'Nothing was dropped.');
        }
        const { emptyCopy } = await import('./operate-verbs.js');
        const done = await emptyCopy(db, act(given));
        write(`${database}: ${done.jobs} jobs are dropped, ${done.schedules} schedules paused. Workers start.\n`);
      }),
    );
}

function show({ database, noted, here, isAtHome, jobs, schedules }: Origin): string {
  const what = `${jobs} jobs wait or run, and ${schedules} schedules fire.`;
  if (noted === null) return `${database}: no worker has started yet. ${what}\n`;
  if (isAtHome) return `${database} is at home (${here}). ${what}\n`;
  return `${database} was at ${noted}, and is at ${here}: no worker starts. ${what}
Is it a copy: duework origin empty. Has the system moved here: duework origin moved.\n`;
}

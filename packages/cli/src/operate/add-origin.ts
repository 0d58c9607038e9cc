import type { Origin } from '@duework/operate';
import type { Act, Queryable } from '@duework/queue-core';
import type { Command } from 'commander';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { eachClient } from '../shards/each-client.js';
import { PRINTED, REASON } from '../option-words.js';

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
  const ask = async ({ yes }: Given, question: string, otherwise: string): Promise<void> => {
    if (yes) return;
    if (confirm === undefined)
      throw new PlainError('confirmation_needed', `${otherwise}: without a terminal, confirm with --yes.`);
    if (!(await confirm(question))) throw new PlainError('not_confirmed', `${otherwise}.`);
  };
  const origin = program
    .command('origin')
    .description('Say whether a database is the system itself or a copy; no worker starts for a copy until you do');
  origin
    .command('show', { isDefault: true })
    .description('Show where the database lives, and what waits there')
    .option(...PRINTED)
    .action(async ({ json }: { json?: true }) =>
      each(async (_, known) => write(json ? `${JSON.stringify(known, null, 2)}\n` : show(known))),
    );
  origin
    .command('moved')
    .description('Say that the system itself has moved here: workers start and run what waits')
    .option(...REASON)
    .action(async (given: Given) =>
      each(async (db, { database }) => {
        const { moveOrigin } = await import('./operate-verbs.js');
        await moveOrigin(db, act(given));
        write(`${database} is at home here: workers start.\n`);
      }),
    );
  origin
    .command('restored')
    .description('Say that it was restored from a backup: put off what may have run since, pause the schedules')
    .option(...REASON)
    .option('--yes', 'do it without asking')
    .action(async (given: Given) =>
      each(async (db, { database, seenAt }) => {
        const { holdMaybeDone, readMaybeDone } = await import('./operate-verbs.js');
        const { types, schedules } = await readMaybeDone(db);
        for (const { type, jobs } of types) write(`${String(jobs).padStart(9)}  ${type}\n`);
        const jobs = types.reduce((sum, { jobs }) => sum + jobs, 0);
        write(
          `${database} knows of a worker at ${seenAt ?? 'no time'} last. ${jobs} jobs have come due or ran since, and ${schedules.length} schedules have come due: ${schedules.join(', ') || 'none'}.\n`,
        );
        await ask(given, `Hold back ${jobs} jobs, and pause ${schedules.length} schedules?`, 'Nothing was held back');
        const { action } = await holdMaybeDone(db, act(given));
        write(
          `${database}: ${action?.done ?? 0} jobs are held back, ${schedules.length} schedules paused. Workers start.\n`,
        );
        if (action === null) return;
        const of = `'bulk:${action.id} status:queued,failed type:<type>'`;
        write(
          `What did not happen runs by: npx duework bulk retry ${of}\nWhat did is ended by:       npx duework bulk cancel ${of}\n`,
        );
      }),
    );
  origin
    .command('empty')
    .description('Say that it is a copy: drop waiting and running jobs, pause the schedules, keep the history')
    .option(...REASON)
    .option('--yes', 'do it without asking')
    .option('--even-here', 'also if nothing tells the database from the system itself, as after a copy of its disks')
    .action(async (given: Given) =>
      each(async (db, known) => {
        const { database, whyNotAtHome, jobs, schedules } = known;
        if (whyNotAtHome === null && !given.evenHere)
          throw new PlainError(
            'no_copy',
            `${database} is where its workers have known it, as the system itself is. Where it is a copy of its disks all the same, add --even-here.`,
          );
        await ask(given, `Drop ${jobs} jobs of ${database}, and pause ${schedules} schedules?`, 'Nothing was dropped');
        const { emptyCopy } = await import('./operate-verbs.js');
        const done = await emptyCopy(db, act(given));
        write(`${database}: ${done.jobs} jobs are dropped, ${done.schedules} schedules paused. Workers start.\n`);
      }),
    );
}

function show({ database, noted, here, whyNotAtHome, seenAt, jobs, schedules }: Origin): string {
  const what = `${jobs} jobs wait or run, and ${schedules} schedules fire.`;
  if (noted === null) return `${database}: no worker has started yet. ${what}\n`;
  if (whyNotAtHome === null) return `${database} is at home (${here}). ${what}\n`;
  const why =
    whyNotAtHome === 'copied'
      ? `was at ${noted}, and is at ${here}`
      : `is on another timeline, and knows of a worker at ${seenAt} last`;
  return `${database} ${why}: no worker starts. ${what}
Is it a copy: npx duework origin empty. Was it restored from a backup: npx duework origin restored. Has the system moved here: npx duework origin moved.\n`;
}

import type { Removal } from '@duework/database/migrate';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { readRemoval, removeSchema } from './migration-verbs.js';

/** Says what goes and what stays; drops it if `confirmed` is the name of the database. */
export async function removeDuework(
  { write }: Pick<CommandParts, 'write'>,
  url: string,
  confirmed: string | undefined,
): Promise<void> {
  const removal = await readRemoval({ url });
  const { database, isThere, workers } = removal;
  if (!isThere) return write(`${database} has no schema duework: nothing is left to drop.\n`);
  if (confirmed === undefined) return write(describe(removal));
  if (confirmed !== database)
    throw new PlainError('not_confirmed', `Nothing was dropped: this database is ${database}, not ${confirmed}.`);
  if (workers.length > 0)
    throw new PlainError(
      'workers_run',
      `Nothing was dropped: ${workers.join(', ')} ${workers.length === 1 ? 'runs' : 'run'} here. Stop them first; one that was killed counts for three minutes.`,
    );
  const { state, others } = await removeSchema({ url });
  if (state === 'in_use')
    throw new PlainError('in_use', 'Nothing was dropped: a session uses its tables. Try again when it has ended.');
  if (state === 'used_by_others')
    throw new PlainError(
      'used_by_others',
      `Nothing was dropped, because these would be, too: ${others.join(', ')}. Drop or change them first.`,
    );
  write(`${database}: the schema duework is gone.\n${describeRest(removal)}`);
}

const describe = (removal: Removal): string => {
  const { database, jobs, schedules, size, workers } = removal;
  const running = workers.length === 0 ? '' : `These workers run, and must be stopped before: ${workers.join(', ')}.\n`;
  return `This would drop the schema duework of ${database}: ${jobs} jobs that wait or run, ${schedules} schedules, the history of
all others, and the migrations' record, ${size} in all. Nothing outside of that schema is dropped.
${running}${describeRest(removal)}To drop it: npx duework remove --confirm ${database}\n`;
};

const describeRest = ({ roles }: Removal): string =>
  `What stays: your code and its packages, "duework" in package.json, contracts.lock.json, your own migrations` +
  (roles.length === 0
    ? '.\n'
    : `, and the roles of the server. If no\nother database of it has Duework: DROP ROLE ${roles.join(', ')};\n`);

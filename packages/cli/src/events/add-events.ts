import type { EventState } from '@duework/operate';
import { InvalidArgumentError, type Command } from 'commander';
import type { Operations } from '../operations/operations.js';
import { PRINTED, REASON } from '../option-words.js';
import { formatRows } from '../output/format-rows.js';
import type { CommandParts } from '../program-parts.js';

interface Asked {
  readonly to: string;
  readonly from: Date;
  readonly until?: Date;
  readonly preview?: true;
  readonly reason?: string;
}

/** `duework events` */
export function addEvents(program: Command, { operations, look, write }: CommandParts): void {
  const events = program.command('events').description('Show events and who subscribes, and replay them');
  events
    .command('list', { isDefault: true })
    .description('List the events, the types that subscribe, and the workers that run these')
    .option(...PRINTED)
    .action(async ({ json }: { json?: true }) => {
      const found = await (await operations()).events.list();
      if (json) return write(`${JSON.stringify(found, null, 2)}\n`);
      write(formatRows(COLUMNS, found.flatMap(toRows), (row) => row, 'No contract subscribes to an event.', look));
    });
  events
    .command('replay')
    .description('Give a type the kept events that it has not had; it gets none twice')
    .argument('<event>', 'the name of an event')
    .requiredOption('--to <type>', 'the type that gets them')
    .requiredOption('--from <moment>', 'the first moment at which they were published: 2026-11-28T10:00:00Z', toMoment)
    .option('--until <moment>', 'the moment before which they were published (default: now)', toMoment)
    .option('--preview', 'say how many they are, and change nothing')
    .option(...REASON)
    .action(async (event: string, { preview, reason, ...asked }: Asked) => {
      const request = { event, ...asked };
      const queue = (await operations()).events;
      if (preview) {
        const { events: count, isAtLeast } = await queue.preview(request);
        return write(`${isAtLeast ? 'More than ' : ''}${count} ${event} would become jobs of ${asked.to}.\n`);
      }
      write(`${await replayAll(queue, request, reason)} ${event} have become jobs of ${asked.to}.\n`);
    });
  events
    .command('unsubscribe')
    .description('End the subscription of a type whose contract is gone')
    .argument('<event>', 'the name of an event')
    .argument('<type>', 'the type that subscribes')
    .option(...REASON)
    .action(async (event: string, type: string, { reason }: { reason?: string }) => {
      await (await operations()).events.unsubscribe(event, type, reason);
      write(`${type} gets no more ${event}. What waits of it: npx duework jobs type:${type}\n`);
    });
}

async function replayAll(queue: Operations['events'], request: Parameters<typeof queue.replay>[0], reason?: string) {
  let total = 0;
  let from: Date | null = request.from;
  while (from !== null) {
    const { replayed, nextFrom } = await queue.replay({ ...request, from }, reason);
    total += replayed;
    from = nextFrom;
  }
  return total;
}

const COLUMNS = ['EVENT', 'VERSION', 'KEPT SINCE', 'TYPE', 'QUEUE', 'WORKERS'];

function toRows({ event, version, keepMs, oldestKeptAt, subscribers }: EventState): readonly string[][] {
  const kept = keepMs === null ? 'not kept' : (oldestKeptAt?.toISOString() ?? 'none yet');
  return subscribers.map(({ type, queue, isSubscribed, workers }) => [
    ...[event, String(version), kept, type, queue],
    isSubscribed ? workers.join(', ') || 'none' : 'subscription ended',
  ]);
}

function toMoment(text: string): Date {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw new InvalidArgumentError('A moment is a date and time in ISO 8601.');
  return moment;
}

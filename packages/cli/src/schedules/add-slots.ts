import type { Slot } from '@duework/schedules';
import { nameId } from '@duework/shards';
import { Option, type Command } from 'commander';
import { formatLate } from '../output/format-late.js';
import { formatTable } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { eachClient } from '../shards/each-client.js';
import { wholeNumber } from '../whole-number.js';
import { PRINTED, LIMIT } from '../option-words.js';

/** `duework schedules slots` */
export function addSlots(schedules: Command, parts: CommandParts): void {
  const { write, now, timeZone } = parts;
  schedules
    .command('slots')
    .description('Show whether schedules ran: each slot, and what became of it')
    .argument('[key]', 'the key of a schedule, also of a deleted one (default: all)')
    .option('--since <moment>', 'from then on: yesterday, today, 24h, 2026-01-14, or a time with a zone', 'yesterday')
    .option('--until <moment>', 'before then')
    .addOption(new Option('--outcome <outcome>', 'only slots of this outcome').choices(['fired', 'skipped', 'waiting']))
    .addOption(
      new Option('--zone <zone>', 'read and show times in this zone').default(timeZone, 'the zone of this machine'),
    )
    .option(...LIMIT, wholeNumber, 100)
    .option(...PRINTED)
    .action(
      async (
        scheduleKey: string | undefined,
        given: { since: string; until?: string; outcome?: Slot['outcome']; zone: string; limit: number; json?: true },
      ) => {
        const [{ findSlots, formatLocal }, { parseMoment }] = await Promise.all([
          import('./schedule-verbs.js'),
          import('./parse-moment.js'),
        ]);
        const format = (moment: Date): string => formatLocal(moment.getTime(), given.zone);
        const [from, to] = [given.since, given.until].map((text) =>
          text === undefined ? undefined : parseMoment(text, now().getTime(), given.zone),
        );
        const slots: ShownSlot[] = [];
        let nextCursor: string | null = null;
        await eachClient(parts, async (client, shard) => {
          const page = await findSlots(client, { scheduleKey, from, to, outcome: given.outcome, limit: given.limit });
          slots.push(...page.slots.map((slot) => (shard === null ? slot : nameSlot(slot, shard))));
          nextCursor ??= page.nextCursor;
        });
        slots.sort((one, other) => other.slotAt.getTime() - one.slotAt.getTime());
        const shown = slots.slice(0, given.limit);
        const hasMore = nextCursor !== null || shown.length < slots.length;
        // a cursor is that of one database
        const page = {
          slots: shown,
          ...(shown.some(({ shard }) => shard !== undefined) ? { hasMore } : { nextCursor }),
        };
        if (given.json) return write(`${JSON.stringify(page, null, 2)}\n`);
        write(show(shown, format, `No slots since ${format(from!)}.`));
        if (hasMore) write(`… and older ones; --limit shows up to 1000.\n`);
      },
    );
}

function nameSlot(slot: Slot, shard: string): ShownSlot {
  return { ...slot, shard, runId: slot.runId === null ? null : nameId(shard, slot.runId) };
}

/** `shard`: whose slot it is, where several are asked. */
type ShownSlot = Slot & { readonly shard?: string };

function show(slots: readonly ShownSlot[], format: (moment: Date) => string, none: string): string {
  const isOverShards = slots.some(({ shard }) => shard !== undefined);
  const rows = slots.map((slot) => [
    ...(isOverShards ? [slot.shard!] : []),
    format(slot.slotAt),
    slot.scheduleKey,
    slot.outcome,
    slot.reason ?? '',
    slot.runId ?? '',
    slot.runStatus ?? '',
    formatLate(slot.lateMs),
  ]);
  const columns = ['SLOT', 'SCHEDULE', 'OUTCOME', 'WHY', 'JOB', 'CAME TO', 'LATE'];
  return formatTable(isOverShards ? ['SHARD', ...columns] : columns, rows, none);
}

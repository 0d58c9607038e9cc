import { found, type Finding } from '../findings.js';
import type { PartitionFacts } from '../sql/read-partitions.js';

const FIX = 'Start a worker, whose maintenance makes them, or run: SELECT duework.ensure_partitions(7);';
const fixBeside = (triggers: readonly string[]): string =>
  triggers.length === 0
    ? FIX
    : `${FIX} Where that fails, let these event triggers leave the schema duework out: ${triggers.join(', ')}.`;

/** The share of the server's locks that one query may take: three years, with PostgreSQL's own settings. */
const MOST_LOCKED = 0.7;

/** Whether the next days have their partitions, and none of the history lies beside them. */
export function judgePartitions({ days, filledDefaults, eventTriggers, locked, room }: PartitionFacts): Finding[] {
  return [
    ...days
      .filter(({ isThere }) => !isThere)
      .map(({ name, daysAhead }) =>
        found(
          'partition_missing',
          `partition ${name}`,
          `The partition ${name} is not there, and its day ${daysAhead === 0 ? 'is today' : `begins in less than ${daysAhead === 1 ? 'a day' : `${daysAhead} days`}`}.`,
          fixBeside(eventTriggers),
        ),
      ),
    ...filledDefaults.map((name) =>
      found(
        'default_partition_used',
        `partition ${name}`,
        `The partition ${name} holds rows, because their day had no partition when they finished.`,
        'Keep a worker running, whose retention removes them, or move those of a day: SELECT duework.ensure_partitions(7, 7);',
      ),
    ),
    ...judgeLocks(locked, room),
  ];
}

/** A query of one's own over the whole history locks each of its days, and what others ask has no room for locks meanwhile. */
function judgeLocks(locked: number, room: number): Finding[] {
  if (locked < room * MOST_LOCKED) return [];
  return [
    found(
      'locks_low',
      'setting max_locks_per_transaction',
      `A query over the whole history, such as SELECT count(*) FROM duework.jobs, takes ${locked} of some ${room} locks that the server has for everybody.`,
      `Keep the history for less long (RETENTION_DAYS), or double the room and restart the server: ALTER SYSTEM SET max_locks_per_transaction = <twice what it is>;`,
    ),
  ];
}

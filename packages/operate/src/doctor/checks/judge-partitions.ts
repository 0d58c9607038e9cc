import { found, type Finding } from '../findings.js';
import type { PartitionFacts } from '../sql/read-partitions.js';

const FIX = 'Start a worker, whose maintenance makes them, or run: SELECT duework.ensure_partitions(7);';

/** Whether the next days have their partitions, and none of the history lies beside them. */
export function judgePartitions({ days, filledDefaults }: PartitionFacts): Finding[] {
  return [
    ...days
      .filter(({ isThere }) => !isThere)
      .map(({ name, daysAhead }) =>
        found(
          'partition_missing',
          `partition ${name}`,
          `The partition ${name} is not there, and its day ${daysAhead === 0 ? 'is today' : `begins in less than ${daysAhead === 1 ? 'a day' : `${daysAhead} days`}`}.`,
          FIX,
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
  ];
}

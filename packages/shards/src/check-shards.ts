import { DueworkError } from '@duework/sql/errors';
import { AskShards } from './ask-shards.js';
import { readShard, type ShardRow } from './sql/shard-row.js';
import type { ShardClients, ShardProblem } from './shards.js';

const WITHIN_MS = 5_000;

export interface CheckedShards {
  readonly shards: readonly ShardRow[];
  /** Those that did not answer. */
  readonly problems: readonly ShardProblem[];
}

/**
 * Checks that each database is the shard of its name. An unavailable one may come later; a wrong one throws
 * `shards_disagree`, because its ids would lead to another shard's jobs.
 */
export async function checkShards(shards: ShardClients, withinMs = WITHIN_MS): Promise<CheckedShards> {
  const { answers, problems } = await new AskShards(withinMs).ask(Object.keys(shards), (name) =>
    readShard(shards[name]!),
  );
  const wrong = answers.flatMap(({ shard, answer }) =>
    answer === null
      ? [`the database of ${shard} is not a shard yet (npx duework shards found ${shard})`]
      : answer.name === shard
        ? []
        : [`the database of ${shard} is shard ${answer.name}`],
  );
  if (wrong.length > 0) throw new DueworkError('shards_disagree', { problems: wrong });
  return { shards: answers.map(({ answer }) => answer!), problems };
}

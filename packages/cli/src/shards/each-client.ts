import type { Transactable } from '@duework/queue-core';
import { problemOf } from '@duework/shards';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';

type Needs = Pick<CommandParts, 'shards' | 'shard' | 'db' | 'shardDb' | 'progress' | 'exitWith'>;

/**
 * Does the same with each of SHARDS, one after another, and tells its name; null: there is one database, or --shard names it,
 * and what fails is thrown. A shard that fails is told on stderr, the others go on, and the exit code is 1; a `PlainError`
 * is thrown, because it is about what was given.
 */
export async function eachClient(
  { shards, shard, db, shardDb, progress, exitWith }: Needs,
  act: (client: Transactable, shard: string | null) => Promise<void>,
): Promise<void> {
  const urls = shard() === undefined ? shards() : undefined;
  if (urls === undefined) return act(await db(), null);
  for (const name of Object.keys(urls)) {
    try {
      await act(await shardDb(name), name);
    } catch (error) {
      // what was given is wrong, whichever shard it is
      if (error instanceof PlainError) throw error;
      exitWith(1);
      progress(`Shard ${name} is left out: ${problemOf(name, error).message}\n`);
    }
  }
}

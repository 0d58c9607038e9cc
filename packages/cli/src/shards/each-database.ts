import { requireDatabaseUrl } from '../database/require-database-url.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';

type Needs = Pick<CommandParts, 'shards' | 'shard' | 'databaseUrl' | 'write'>;

/**
 * Does the same with the database of DATABASE_URL, or with each of SHARDS, one after another; one that fails does not keep
 * the others from it. Throws what fails; of several shards, one line that names those.
 */
export async function eachDatabase(
  { shards, shard, databaseUrl, write }: Needs,
  act: (url: string) => Promise<void>,
): Promise<void> {
  const urls = shard() === undefined ? shards() : undefined;
  if (urls === undefined) return act(requireDatabaseUrl(databaseUrl()));
  const failed: string[] = [];
  for (const [name, url] of Object.entries(urls)) {
    try {
      await act(url);
    } catch (error) {
      failed.push(name);
      write(`Shard ${name}: ${(error as Error).message}\n`);
    }
  }
  if (failed.length > 0)
    throw new PlainError(
      'shards_failed',
      `It failed for the shard${failed.length > 1 ? 's' : ''} ${failed.join(', ')}.`,
    );
}

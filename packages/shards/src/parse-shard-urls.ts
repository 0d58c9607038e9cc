import { DatabaseError, parseDatabaseUrl } from '@duework/database';
import { checkShardName } from '@duework/queue-core/internals';

/** The URLs of shards, by name. */
export type ShardUrls = Readonly<Record<string, string>>;

const FIX = "Set SHARDS to names and URLs with blanks between them: 'a=postgres://… b=postgres://…'.";

/**
 * Reads `a=postgres://… b=postgres://…`: blanks and line ends separate, because no URL has any. Throws `DatabaseError`
 * (`database_url_invalid`), which never shows a URL, and `DueworkError` (`invalid_option`) for a name that is none.
 */
export function parseShardUrls(text: string): ShardUrls {
  const urls = new Map<string, string>();
  for (const part of text.split(/\s+/).filter((each) => each !== '')) {
    const [, name, url] = /^([^=:/]+)=(.+)$/.exec(part) ?? [];
    if (name === undefined || url === undefined)
      throw new DatabaseError('database_url_invalid', { problem: 'A shard has no name before its URL.', fix: FIX });
    checkShardName(name);
    if (urls.has(name))
      throw new DatabaseError('database_url_invalid', { problem: `The shard ${name} is given twice.`, fix: FIX });
    parseDatabaseUrl(url);
    urls.set(name, url);
  }
  if (urls.size === 0) throw new DatabaseError('database_url_invalid', { problem: 'No shard is given.', fix: FIX });
  return Object.fromEntries(urls);
}

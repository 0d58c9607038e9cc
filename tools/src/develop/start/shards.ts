import { connectPg } from '@duework/database';
import { foundShard } from '@duework/shards';
import type { StartDatabase } from './prepare-database.js';
import type { StartSettings } from './settings.js';

/** `a`, `b` … in the order of the databases. */
const nameOf = (index: number): string => String.fromCharCode('a'.charCodeAt(0) + index);

/** The settings of the shard with this index: its own files, and a port behind that of the first. */
export function shardSettings(settings: StartSettings, index: number): StartSettings {
  const { ports, dataDir } = settings;
  return {
    ...settings,
    dataDir: `${dataDir}-${nameOf(index)}`,
    ports: { ...ports, POSTGRES_PORT: ports.POSTGRES_PORT + index },
  };
}

/** SHARDS for the programs; nothing for a database alone. */
export function nameShards(databases: readonly StartDatabase[]): { readonly SHARDS?: string } {
  if (databases.length === 1) return {};
  return { SHARDS: databases.map(({ url }, index) => `${nameOf(index)}=${url}`).join(' ') };
}

/** Founds each database as the shard of its name. */
export async function foundAll(databases: readonly StartDatabase[]): Promise<void> {
  for (const [index, { url }] of databases.entries()) {
    const db = connectPg({ url });
    await foundShard(db, nameOf(index)).finally(() => db.$disconnect());
  }
}

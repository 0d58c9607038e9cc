import type { AuditEntry, AuditFilter, AuditPage } from '@duework/operate';
import { mergePages, nameId } from '@duework/shards';
import type { OfShard } from '../of-shard.js';
import type { AllShards } from './all-shards.js';

/** What is changed by an id that a shard gave out. */
const OF_IDS = new Set(['job', 'batch', 'bulk_action']);

/** The audit of all shards, newest first; what was done to one job is asked of its shard alone. */
export async function readAudit(shards: AllShards, filter: AuditFilter): Promise<AuditPage> {
  const { job, target, kind, limit = 100, cursor } = filter;
  const jobAt = job === undefined ? undefined : shards.place(job);
  const targetAt = target === undefined || !OF_IDS.has(kind ?? '') ? undefined : shards.place(target);
  const asked: AuditFilter = { ...filter, job: jobAt?.number, target: targetAt?.number ?? target };
  const only = jobAt?.shard ?? targetAt?.shard;
  const page = await mergePages<OfShard<AuditEntry>>({
    limit,
    cursor,
    names: only === undefined ? shards.names : [only],
    ask: shards.ask,
    compare: (a, b) => b.at.getTime() - a.at.getTime(),
    async read(shard, most, from) {
      const { entries, nextCursor } = await shards.of(shard).readAudit({ ...asked, limit: most, cursor: from });
      return { items: entries.map((entry) => nameEntry(shard, entry)), nextCursor };
    },
  });
  shards.tellLeftOut(page.problems);
  return { entries: page.items, nextCursor: page.nextCursor };
}

const nameEntry = (shard: string, entry: AuditEntry): OfShard<AuditEntry> => ({
  ...entry,
  shard,
  id: nameId(shard, entry.id),
  target: OF_IDS.has(entry.kind) ? nameId(shard, entry.target) : entry.target,
});

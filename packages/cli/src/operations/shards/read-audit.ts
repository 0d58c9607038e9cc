import { type AuditEntry, type AuditFilter, type AuditPage, KINDS_WITH_IDS, nameAuditedFacts } from '@duework/operate';
import { mergePages, nameId } from '@duework/shards';
import type { OfShard } from '../of-shard.js';
import type { AllShards } from './all-shards.js';

/** The audit of all shards, newest first; what was done to one job is asked of its shard alone. */
export async function readAudit(shards: AllShards, filter: AuditFilter): Promise<AuditPage> {
  const { job, target, kind, limit = 100, cursor } = filter;
  const jobAt = job === undefined ? undefined : shards.place(job);
  const targetAt = target === undefined || !KINDS_WITH_IDS.includes(kind ?? '') ? undefined : shards.place(target);
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

function nameEntry(shard: string, entry: AuditEntry): OfShard<AuditEntry> {
  const name = (id: string): string => nameId(shard, id);
  const { id, kind, target, before, after } = entry;
  return {
    ...entry,
    shard,
    id: name(id),
    target: KINDS_WITH_IDS.includes(kind) ? name(target) : target,
    before: nameAuditedFacts(kind, before, name),
    after: nameAuditedFacts(kind, after, name),
  };
}

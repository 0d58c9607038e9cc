/** The rows of one shard for a page, in the order in which they are taken. */
export interface ShardRows<TRow> {
  readonly shard: string;
  readonly rows: readonly TRow[];
  /** More may follow behind the last of them. */
  readonly hasMore: boolean;
}

export interface MergedRows<TRow> {
  readonly rows: readonly TRow[];
  /** How many of each shard were taken. */
  readonly taken: ReadonlyMap<string, number>;
}

/**
 * The first `limit` rows of all shards, where `isBefore` says which of two comes first; each shard's own order stays. It ends
 * early where a shard has no rows left and may have more: what it has there might come first.
 */
export function mergeRows<TRow>(
  shards: readonly ShardRows<TRow>[],
  limit: number,
  isBefore: (one: TRow, other: TRow) => boolean,
): MergedRows<TRow> {
  const taken = new Map(shards.map(({ shard }) => [shard, 0]));
  const rows: TRow[] = [];
  while (rows.length < limit) {
    let first: { readonly shard: string; readonly row: TRow } | null = null;
    for (const { shard, rows: own, hasMore } of shards) {
      const at = taken.get(shard)!;
      if (at === own.length) {
        if (hasMore) return { rows, taken };
        continue;
      }
      if (first === null || isBefore(own[at]!, first.row)) first = { shard, row: own[at]! };
    }
    if (first === null) break;
    rows.push(first.row);
    taken.set(first.shard, taken.get(first.shard)! + 1);
  }
  return { rows, taken };
}

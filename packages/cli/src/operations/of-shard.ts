/** A row that belongs to one shard, which says which; of a single database it says none. */
export type OfShard<T> = T & { readonly shard?: string };

/** ` of shard eu`, in a sentence; nothing for a single database. */
export const ofShard = (shard: string | undefined): string => (shard === undefined ? '' : ` of shard ${shard}`);

/** A row that belongs to one shard, which says which; of a single database it says none. */
export type OfShard<T> = T & { readonly shard?: string };

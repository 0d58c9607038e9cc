/** A statement as clients take it: its text has $1, $2 … where its values go. */
export interface RawStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** All that is needed of a client: Prisma's, its transaction, `connectPg`'s, or another one behind an adapter. */
export interface RawQueryable {
  /** Takes a `RawStatement`; each client's own types say so in words of their own. */
  // oxlint-disable-next-line typescript/no-explicit-any
  $queryRaw<T = unknown>(statement: any): Promise<T>;
}

/** A statement for clients: its text has $1, $2 … in place of its values. */
export interface RawStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A client: Prisma's, its transaction, `connectPg`'s, or another one behind an adapter. */
export interface RawQueryable {
  /** Takes a `RawStatement`; each client's own types say so in words of their own. */
  // oxlint-disable-next-line typescript/no-explicit-any
  $queryRaw<T = unknown>(statement: any): Promise<T>;
}

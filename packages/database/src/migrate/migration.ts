/** One migration as it was released. It never changes any more: `checksum` is the SHA-256 of `sql`, in hex. */
export interface Migration {
  /** `20261120120000_queue`: applied in the order of these names. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** Its way back, `down.sql` beside it; absent: it has none, as those of the first release. */
  readonly down?: string;
}

/** The line with which a migration begins that cannot run in a transaction. */
const OUTSIDE = '-- outside a transaction';

/**
 * Whether a migration runs statement by statement, because an index of a large table is built CONCURRENTLY. Such a
 * migration can be begun anew: it first drops what an earlier try has left.
 */
export const runsOutsideTransaction = ({ sql }: Pick<Migration, 'sql'>): boolean => sql.startsWith(`${OUTSIDE}\n`);

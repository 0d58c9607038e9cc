/** Limits from which a figure is a finding. */
export interface DoctorLimits {
  /** When each major version gets its last fixes, as PostgreSQL announces it: a day in UTC. */
  readonly endOfMajor: Readonly<Record<number, string>>;
  /** Shorter statement timeouts are found. */
  readonly statementTimeoutMs: number;
  /** Days, including today, that must have partitions. */
  readonly partitionDays: number;
  /** An index is bloated from this many empty bytes, if they are also this share of it. */
  readonly bloatBytes: number;
  readonly bloatShare: number;
  /** From this many dead rows, if they outnumber the live ones and no vacuum has come for this long. */
  readonly deadRows: number;
  readonly vacuumAgeSeconds: number;
  readonly pinnedSeconds: number;
  /** Of the connections that a limit allows. */
  readonly connectionsShare: number;
  /** So many days before an API key expires it is found, and so many after. */
  readonly keyDays: number;
  /** Workers of one program that declare different schedules are found when all have lived for longer: no deploy. */
  readonly deploySeconds: number;
  /** Commits must also be on another server. */
  readonly isReplicated: boolean;
}

export const DOCTOR_LIMITS: DoctorLimits = {
  // https://www.postgresql.org/support/versioning
  endOfMajor: { 14: '2026-11-12', 15: '2027-11-11', 16: '2028-11-09', 17: '2029-11-08', 18: '2030-11-14' },
  statementTimeoutMs: 30_000,
  partitionDays: 3,
  bloatBytes: 64 * 1024 * 1024,
  bloatShare: 0.6,
  deadRows: 100_000,
  vacuumAgeSeconds: 600,
  pinnedSeconds: 300,
  connectionsShare: 0.85,
  keyDays: 14,
  deploySeconds: 900,
  isReplicated: false,
};

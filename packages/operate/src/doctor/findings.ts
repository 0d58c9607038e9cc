/** `error`: jobs are or will be delayed or lost. `warning`: it works, but look at it. */
export type Severity = 'error' | 'warning';

/** Every code that a finding can have. The table is the documentation: a code is stable, sentences are for people. */
export const FINDINGS = {
  server_version_unsupported: { severity: 'error', means: 'PostgreSQL is older than Duework can use' },
  server_version_ended: { severity: 'warning', means: 'This major version of PostgreSQL gets no more fixes' },
  server_read_only: { severity: 'error', means: 'The server is a standby, or new transactions may not write' },
  durability_off: { severity: 'error', means: 'A crash of the server can destroy the database' },
  commits_not_durable: { severity: 'warning', means: 'A crash of the server forgets the last commits' },
  not_replicated: { severity: 'error', means: 'Replication is required, and no commit waits for another server' },
  commits_not_replicated: { severity: 'error', means: 'Commits of some sessions do not wait for a standby' },
  standbys_missing: { severity: 'error', means: 'Too few standbys are connected, so every commit hangs' },
  autovacuum_off: { severity: 'error', means: 'Dead rows are not removed, so claims get slower and slower' },
  isolation_changed: { severity: 'warning', means: 'Concurrent transactions fail more often' },
  statement_timeout_short: { severity: 'warning', means: 'Retention and migrations may be cancelled half-way' },
  zone_not_utc: { severity: 'warning', means: 'A client that does not set its zone reads moments shifted' },
  database_copied: { severity: 'error', means: 'The database comes from another place, so that no worker starts' },
  not_migrated: { severity: 'error', means: 'The database lacks migrations of this release' },
  migration_changed: { severity: 'error', means: 'A migration was applied with another text' },
  migrated_by_newer: { severity: 'warning', means: 'A newer release has migrated this database' },
  schema_missing: { severity: 'error', means: 'Something that the migrations make is gone' },
  schema_changed: { severity: 'error', means: 'Something differs from the migrations' },
  schema_added: { severity: 'warning', means: 'The schema duework has something that no migration made' },
  row_security_on: { severity: 'error', means: 'Row-level security hides jobs from their workers' },
  partition_missing: { severity: 'warning', means: 'A day that comes has no partition yet' },
  default_partition_used: { severity: 'warning', means: 'History lies where no day can be dropped whole' },
  locks_low: { severity: 'warning', means: 'A query over the whole history would take most of the server’s locks' },
  index_invalid: { severity: 'error', means: 'An index was not built to its end: it costs, and no query uses it' },
  index_unused: { severity: 'warning', means: 'An index that no migration made and no query uses' },
  index_added: { severity: 'warning', means: 'An index that no migration made, which every write pays for' },
  index_bloated: { severity: 'warning', means: 'Most of an index is empty' },
  dead_rows: { severity: 'warning', means: 'Vacuum does not keep up with a table' },
  snapshot_pinned: { severity: 'warning', means: 'An old snapshot keeps dead rows from being removed' },
  disk_fills_up: { severity: 'warning', means: 'The disk is nearly full, or too small for what the history will need' },
  notifications_stuck: { severity: 'warning', means: 'The server’s queue of notifications fills up' },
  connections_low: { severity: 'warning', means: 'Few connections are left' },
  type_without_worker: { severity: 'error', means: 'Due jobs that no live worker can run' },
  key_expiring: { severity: 'warning', means: 'An API key expires within two weeks' },
  key_expired: { severity: 'warning', means: 'An API key that was used has expired within two weeks' },
  program_declared_twice: { severity: 'warning', means: 'Two programs of one name declare different schedules' },
  check_not_allowed: { severity: 'warning', means: 'The role may not read what a check needs' },
} as const satisfies Readonly<Record<string, { readonly severity: Severity; readonly means: string }>>;

export type FindingCode = keyof typeof FINDINGS;

/** One thing that is wrong, and what to do about it. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Its subject: `index job_runs_claim_idx`, `setting fsync`. */
  readonly about: string;
  /** What is wrong: one sentence. */
  readonly sentence: string;
  /** What to do: one sentence, often with the statement to run. */
  readonly fix: string;
}

/** Makes a finding, with the severity that its code has. */
export const found = (code: FindingCode, about: string, sentence: string, fix: string): Finding => ({
  code,
  severity: FINDINGS[code].severity,
  about,
  sentence,
  fix,
});

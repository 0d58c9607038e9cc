import type { Transactable } from '@duework/queue-core';
import type { JobsModule } from './project/jobs-module.js';

/** What the program is given; a function is called when a command first needs what it returns. */
export interface ProgramParts {
  /** A client of the database of DATABASE_URL, which is migrated. Throws one line when there is none. */
  readonly db: () => Promise<Transactable>;
  /** The module of jobs: the one of `--jobs` (`given`), or of the nearest package.json. Throws one line without one. */
  readonly jobs: (given: string | undefined) => Promise<JobsModule>;
  /** The URL of that database; undefined: DATABASE_URL is not set. Throws one line for a wrong one. */
  readonly databaseUrl: () => string | undefined;
  /** The working directory. */
  readonly cwd: string;
  readonly write: (text: string) => void;
  /** The zone in which times are shown unless `--zone` names another. */
  readonly timeZone: string;
  /** The process's clock, for previews without a database. */
  readonly now: () => Date;
}

/** What a command is given: the same, after `--jobs` was read. */
export interface CommandParts extends Omit<ProgramParts, 'jobs'> {
  readonly jobs: () => Promise<JobsModule>;
}

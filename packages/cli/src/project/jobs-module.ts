import type { Catalog } from '@duework/contracts';

/** What a project's module of jobs exports; a command that needs more than `catalog` says what is missing. */
export interface JobsModule {
  /** The absolute path of the module. */
  readonly file: string;
  readonly catalog: Catalog;
  /** One for each type, for workers. */
  readonly handlers: unknown;
  /** For some types, when a failed attempt is retried, for workers; undefined: it exports none. */
  readonly backoffs: unknown;
  /** Runs around every handler, for workers; undefined: it exports none. */
  readonly middleware: unknown;
  /** The program's schedules, which a worker registers; undefined: it exports none. */
  readonly schedules: unknown;
  /** Raised whenever the schedules change. */
  readonly schedulesVersion: unknown;
}

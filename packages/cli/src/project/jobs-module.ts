import type { Catalog } from '@duework/contracts';

/** What a project's module of jobs exports: a command that needs more than `catalog` says what is missing. */
export interface JobsModule {
  /** The absolute path of the module. */
  readonly file: string;
  readonly catalog: Catalog;
  /** One for each type; workers need them. */
  readonly handlers: unknown;
  /** The program's schedules; workers register them. undefined: it exports none. */
  readonly schedules: unknown;
}

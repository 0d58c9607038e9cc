import type { JobsModule } from '../project/jobs-module.js';

/** What init needs of the process that it runs in. */
export interface InitParts {
  readonly cwd: string;
  readonly write: (text: string) => void;
  /** Whether to go on; throws PlainError where there is nobody to ask. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** Runs a program in the project's folder and returns its exit code. */
  readonly run: (command: readonly string[]) => Promise<number>;
  /** undefined: DATABASE_URL is not set. */
  readonly databaseUrl: () => string | undefined;
  readonly load: (file: string) => Promise<JobsModule>;
}

import type { ProgressLine } from '../output/open-progress-line.js';
import type { JobsModule } from '../project/jobs-module.js';

/** What init needs of the process that it runs in. */
export interface InitParts {
  readonly cwd: string;
  readonly write: (text: string) => void;
  /** What is done now. */
  readonly line: ProgressLine;
  /** Whether to go on; throws PlainError where there is nobody to ask. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** Asks for one of these names; undefined: nobody can be asked, or none was named. */
  readonly choose: ((question: string, names: readonly string[]) => Promise<string | undefined>) | undefined;
  /** Runs a program in a folder; returns its exit code, and what it has written unless that was shown. */
  readonly run: (
    command: readonly string[],
    dir: string,
  ) => Promise<{ readonly code: number; readonly output: string }>;
  /** As it is in a folder; undefined: DATABASE_URL is not set there. */
  readonly databaseUrl: (dir: string) => string | undefined;
  readonly load: (file: string) => Promise<JobsModule>;
}

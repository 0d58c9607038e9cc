/** What `jest --json` writes, as far as it is read here. */
export interface JestReport {
  readonly testResults: readonly {
    /** The file's path. */
    readonly name: string;
    /** Why it could not be run; '' when it could. */
    readonly message: string;
    readonly assertionResults: readonly JestTest[];
  }[];
}

export interface JestTest {
  readonly title: string;
  /** `passed`, `failed`, `pending` when it was not asked for, … */
  readonly status: string;
  readonly failureMessages: readonly string[];
}

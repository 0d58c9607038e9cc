/** A guard's test. */
export interface NamedTest {
  /** The one to run. */
  readonly file: string;
  /** As it is written in the source. */
  readonly title: string;
  /** Where it is written, when `file` runs the cases of another file. */
  readonly from?: string;
  /** The one of a test.each that is meant, by the beginning of what its title says where %s or %j is written. */
  readonly of?: string;
}

/** Takes out a text that a file has exactly once: the product's files bear no marks of this tool. */
export interface GuardEdit {
  readonly file: string;
  /** The text, as `findText` finds it: however its lines are broken. */
  readonly find: string;
  /** What stands there instead; '' leaves nothing. */
  readonly replace: string;
}

/** What keeps a promise when two things happen at once, or one does not: how it is taken out, and the tests that then fail. */
export interface Guard {
  /** For --only. */
  readonly name: string;
  /** What it is. */
  readonly says: string;
  /** All of them together take it out. */
  readonly edits: readonly GuardEdit[];
  /** All of them go red. */
  readonly tests: readonly NamedTest[];
  /** How they fail, where that is no expectation but a refusal of the database. */
  readonly error?: RegExp;
}

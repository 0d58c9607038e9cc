import type { Duration } from '@duework/contracts';

/** What somebody is asked, and how long and how often. */
export interface ApprovalOptions {
  readonly title: string;
  /** What the decision needs, by its label. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  /** Default: `approve` and `reject`. */
  readonly choices?: readonly [string, ...string[]];
  /**
   * Who may decide: mail addresses, or names as the audit has them. Default: whoever has a link or the scope `approve`.
   */
  readonly by?: readonly string[];
  readonly timeout?: Duration;
  /** Of its steps; default: `approval`. Use a name once in a run. */
  readonly name?: string;
  /** Tells people, in a step: it may be repeated after a crash. */
  readonly ask?: (asked: ApprovalRequest) => Promise<void> | void;
  /** While nobody has decided, `ask` is called again after each of these, counted from the call before. */
  readonly remindAfter?: readonly Duration[];
}

/** What `ask` gets. */
export interface ApprovalRequest {
  /** 0 at first, then 1 for each reminder. */
  readonly round: number;
  /**
   * The address of a page on which `to` decides, without an account; it is signed by the key ring. `url` is where the API is
   * mounted. Throws `key_ring_missing`.
   */
  readonly link: (options: { readonly to: string; readonly url: string }) => string;
}

/** What somebody has decided; a handler may complete with it as it is. */
export type Approval<TChoice extends string = string> = {
  readonly choice: TChoice;
  /** As the audit has it: `link:ana@example.org`, `person:ana@example.org`, `key:desk`. */
  readonly by: string;
  /** When, on the database's clock (ISO 8601). */
  readonly at: string;
  readonly comment: string | null;
};

/** The choices of an approval, as its options name them. */
export type ChoiceOf<TOptions extends ApprovalOptions> = 'choices' extends keyof TOptions
  ? NonNullable<TOptions['choices']>[number]
  : 'approve' | 'reject';

/** What is asked, as a step keeps it. */
export interface ApprovalQuestion {
  readonly title: string;
  readonly details: Readonly<Record<string, string | number | boolean>>;
  readonly choices: readonly string[];
  /** null: whoever has a link or the scope. */
  readonly by: readonly string[] | null;
}

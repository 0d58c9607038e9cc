import type { Catalog } from '@duework/contracts';
import type { Transactable } from '@duework/queue-core';

/** What the commands about contracts need. */
export interface ContractsParts {
  readonly catalog: () => Promise<Catalog>;
  /** Connects when a command first needs it. */
  readonly db: () => Promise<Transactable>;
  /** The answer. */
  readonly write: (text: string) => void;
  /** What is for people who wait, and no part of the answer. */
  readonly progress: (text: string) => void;
}

/** What was checked is refused: its message is one line for each problem. */
export class ProblemsError extends Error {
  override readonly name = 'ProblemsError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

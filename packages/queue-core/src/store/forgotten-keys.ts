import type { Queryable } from '@duework/sql';
import { walkLines } from '../sql/flow/walk-lines.js';

/** How many keys one call walks over: some 50 ms. */
const PORTION = 2_000;

/** Looks for keys that nobody looks at although they have room, in each call a portion further. */
export class ForgottenKeys {
  #after: string | null = null;

  constructor(private readonly db: Queryable) {}

  async find(): Promise<void> {
    this.#after = await walkLines(this.db, 'forgottenKeys', this.#after, PORTION);
  }
}

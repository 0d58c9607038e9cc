import { DueworkError, type Transactable } from '@duework/queue-core';
import { inTransaction, type RawClient } from '@duework/sql';

/** What became of what makes jobs again and again. */
export interface HandedOver {
  /** As the old system calls it. */
  readonly name: string;
  readonly rule: string;
  /** Its key here; null: it stays. */
  readonly key: string | null;
  /** Why it stays, and what to do about it; null: it does not. */
  readonly stays: string | null;
  /** The options of what it makes that do not come along; null, or not there: none. */
  readonly without?: string | null;
}

/** Undoes a transaction whose answer is wanted all the same: why something stays; null: it would not. */
export class Undone extends Error {
  constructor(readonly stays: string | null) {
    super();
  }
}

/** Hands one schedule over in a transaction, and tells what became of it. `isDry`: what would, and nothing is written. */
export async function handOne(
  db: Transactable,
  what: Pick<HandedOver, 'name' | 'rule'> & { readonly key: string },
  isDry: boolean,
  hand: (tx: RawClient) => Promise<void>,
): Promise<HandedOver> {
  const { name, rule, key } = what;
  const tell = (stays: string | null): HandedOver => ({ name, rule, key: stays === null ? key : null, stays });
  try {
    await inTransaction(db, async (tx) => {
      await hand(tx);
      if (isDry) throw new Undone(null);
    });
    return tell(null);
  } catch (error) {
    if (error instanceof Undone) return tell(error.stays);
    if (error instanceof DueworkError) return tell(error.message);
    throw error;
  }
}

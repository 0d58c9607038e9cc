import { setTimeout as pause } from 'node:timers/promises';
import type { Way } from '../observer/history-events.js';
import type { WriteEvent } from './open-history.js';

const RETRY_MS = 250;

/** Thrown on purpose inside a transaction. */
export const CHANGED_MIND = new Error('the caller changed his mind');

/** One call, which is written to the history before it is made and after it is answered. */
export type MakeCall = (
  about: { readonly way: Way; readonly type: string; readonly n: number },
  act: () => Promise<{ readonly id: string } | undefined>,
  options?: {
    /** Repeats the call until it is answered. */
    readonly isAgain?: boolean;
  },
) => Promise<void>;

/**
 * Makes calls and writes down their answers. A call whose answer was lost is "unknown": with a key it is repeated until
 * it is answered, without one it is not.
 */
export function createCalls({ write, sampleEvery }: { readonly write: WriteEvent; readonly sampleEvery: number }): {
  readonly call: MakeCall;
  readonly counts: { answered: number; unknown: number; rolledBack: number; skipped: number };
} {
  const counts = { answered: 0, unknown: 0, rolledBack: 0, skipped: 0 };
  const note: WriteEvent = (kind, facts) => {
    if ('n' in facts && Number(facts.n) % sampleEvery === 0) write(kind, facts);
  };
  const call: MakeCall = async (facts, act, { isAgain = false } = {}) => {
    note('enqueue.called', facts);
    for (;;) {
      try {
        const made = await act();
        if (made === undefined) throw new Error('there was no answer for this one');
        counts.answered++;
        return note('enqueue.answered', { ...facts, run: made.id });
      } catch (error) {
        if (error === CHANGED_MIND) {
          counts.rolledBack++;
          return note('enqueue.rolled_back', facts);
        }
        counts.unknown++;
        note('enqueue.unknown', { ...facts, problem: (error as Error).message.slice(-120) });
        if (!isAgain) return undefined;
        await pause(RETRY_MS);
      }
    }
  };
  return { call, counts };
}

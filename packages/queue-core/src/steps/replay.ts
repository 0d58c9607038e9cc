import { soon, type Clock } from '../clock.js';
import type { StepRow } from '../ports/steps.js';

interface Asked {
  readonly name: string;
  /** null: the run has not done it yet. */
  readonly row: StepRow | null;
  readonly go: () => void;
  /** Called instead, where the run has gone past the place at which it is asked for; null: its code has changed then. */
  readonly goPast: (() => void) | null;
}

/**
 * Gives an attempt what its run has done before, each result in a turn of the event loop of its own and in the order in
 * which they came at first, so that code that waits for several at once takes the way that it took then. What is new
 * begins only when all that is known has been given.
 *
 * Code has changed where something new would begin that the run would have begun before it did what is not asked for
 * yet: when that was asked for, all was known that is known now, and the new one was not on its way when it ended.
 */
export class Replay {
  readonly #unasked: Map<string, StepRow>;
  #waiting: Asked[] = [];
  #isTurning = false;
  /** When the last of what was given had ended. */
  #knownSeq = 0;

  constructor(
    private readonly clock: Clock,
    private readonly rows: ReadonlyMap<string, StepRow>,
    /** Called instead of beginning `name`: the run has done `done`, which is not asked for any more. */
    private readonly onChanged: (done: string, name: string) => void,
  ) {
    this.#unasked = new Map(rows);
  }

  /** What the run has done and this attempt has not asked for; null: nothing. */
  get left(): string | null {
    return this.#unasked.keys().next().value ?? null;
  }

  /** Resolves with what is known of the step; null: it is to begin now. Never, where the code has changed. */
  ask(name: string): Promise<StepRow | null> {
    const row = this.rows.get(name) ?? null;
    this.#unasked.delete(name);
    // the run has nothing behind this
    if (row === null && this.#unasked.size === 0 && this.#waiting.length === 0) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#waiting.push({ name, row, go: () => resolve(row), goPast: null });
      this.#turnSoon();
    });
  }

  /** The same for a mark in the code; `'past'`: the run had gone past it before the mark was there. */
  askForMark(name: string): Promise<StepRow | null | 'past'> {
    const row = this.rows.get(name) ?? null;
    this.#unasked.delete(name);
    return new Promise((resolve) => {
      this.#waiting.push({ name, row, go: () => resolve(row), goPast: () => resolve('past') });
      this.#turnSoon();
    });
  }

  #turnSoon(): void {
    if (this.#isTurning || this.#waiting.length === 0) return;
    this.#isTurning = true;
    soon(this.clock, () => {
      this.#isTurning = false;
      this.#turn();
      this.#turnSoon();
    });
  }

  #turn(): void {
    const known = this.#waiting.filter(({ row }) => row !== null);
    if (known.length === 0) {
      for (const { name, go, goPast } of this.#waiting.splice(0)) {
        const done = this.#findMissed(name);
        if (done === undefined) go();
        else if (goPast !== null) goPast();
        else return this.onChanged(done, name);
      }
      return;
    }
    const next = known.reduce((first, one) => (one.row!.doneSeq < first.row!.doneSeq ? one : first));
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#knownSeq = Math.max(this.#knownSeq, next.row!.doneSeq);
    next.go();
  }

  #findMissed(name: string): string | undefined {
    const isMissed = ({ askedSeq, open }: StepRow): boolean => this.#knownSeq < askedSeq && !open.includes(name);
    return [...this.#unasked.values()].find(isMissed)?.name;
  }
}

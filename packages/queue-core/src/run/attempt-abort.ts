import { setMaxListeners } from 'node:events';
import type { AbortReason } from '../settle/attempt-errors.js';
import { callApart, type Attempt } from './attempt-context.js';

/**
 * Aborts one attempt, once: the first reason stays. Its AbortSignal is made when the handler first reads it, because
 * making one costs more than all the rest of an attempt, and most handlers never read it.
 */
export class AttemptAbort {
  #reason: AbortReason | null = null;
  #controller: AbortController | null = null;
  #listener: (() => void) | null = null;

  constructor(private readonly held: Attempt) {}

  /** null: the attempt was not aborted. */
  get reason(): AbortReason | null {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      // each call of a handler's that takes the signal listens, and a hundred at once are no leak
      setMaxListeners(0, this.#controller.signal);
      if (this.#reason !== null) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: AbortReason): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    const controller = this.#controller;
    // listeners are the handler's code
    if (controller !== null) callApart([this.held], () => controller.abort(reason));
    this.#listener?.();
  }

  /** Sets the one listener that is called on the abort; null removes it. */
  listen(listener: (() => void) | null): void {
    this.#listener = listener;
  }
}

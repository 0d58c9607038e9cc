import type { AbortReason } from './abort-reason.js';

/**
 * Tells one attempt to stop, once: the first reason stays. Its AbortSignal is made when somebody asks for it, because making
 * one costs more than all the rest of an attempt, and most handlers never look.
 */
export class AttemptAbort {
  #reason: AbortReason | null = null;
  #controller: AbortController | null = null;
  #listener: (() => void) | null = null;

  /** null: nobody wants it to stop. */
  get reason(): AbortReason | null {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#reason !== null) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: AbortReason): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.();
  }

  /** The one who waits for the attempt; null: no longer. */
  listen(listener: (() => void) | null): void {
    this.#listener = listener;
  }
}

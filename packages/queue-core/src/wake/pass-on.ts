import type { Clock } from '../clock.js';
import { notifyWake } from '../sql/wake/notify-wake.js';
import { statementText } from '@duework/sql';
import { formatHint, type HintShare } from './wake-hint.js';
import type { Ask } from './kept-connection.js';

const TEXT = statementText((db) => notifyWake(db));
/** After so many workers without a free slot everybody is woken. */
const MOST_PASSES = 2;
/** How long everybody who was woken polls often: whoever has a free slot finds the run. */
const ALL_AWAKE_MS = 100;

/** Passes on wake-ups for which the worker they chose has no free slot, so that no run waits while another has one. */
export class PassOn {
  readonly #wokenMs = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly ask: Ask,
  ) {}

  /** Takes note that everybody who serves the queue was woken. */
  heardAll(queue: string): void {
    this.#wokenMs.set(queue, this.clock.monotonicMs());
  }

  /** To another one by chance, or to everybody; nobody is told where everybody was a moment ago. */
  pass(queue: string, { isLater, passes }: HintShare): void {
    if (this.clock.monotonicMs() - (this.#wokenMs.get(queue) ?? -Infinity) < ALL_AWAKE_MS) return;
    const number = Math.floor(Math.random() * 2 ** 31);
    const hint = passes < MOST_PASSES ? `${formatHint(queue, 1, isLater)} ${number} ${passes + 1}` : queue;
    // a wake-up that is lost with the connection delays a run, but loses none
    this.ask(TEXT, [hint]).catch(() => {});
  }
}

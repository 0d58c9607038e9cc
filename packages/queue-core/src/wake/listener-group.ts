import { statementText } from '@duework/sql';
import { pause, type Clock } from '../clock.js';
import { joinListeners } from '../sql/wake/join-listeners.js';
import { readListeners, type ListenerPlace } from '../sql/wake/read-listeners.js';
import { tellListeners } from '../sql/wake/tell-listeners.js';
import { formatHint, type HintShare } from './take-queues-to-wake.js';
import type { Ask } from './kept-connection.js';
import { notifyWake } from '../sql/wake/notify-wake.js';

/** What a worker can do: those that claim the same are a group, of which a wake-up needs one. */
export interface Abilities {
  readonly queues: readonly string[];
  /** The job types that it handles, each with the versions that it reads. */
  readonly types: readonly string[];
}

const TEXTS = {
  join: statementText((db) => joinListeners(db, [], 0)),
  read: statementText((db) => readListeners(db, [])),
  tell: statementText((db) => tellListeners(db)),
};

/**
 * How long after somebody came or went all read anew who is there, each at another moment. Until then a listener knows
 * nobody, and so answers every wake-up: no two of them ever choose by different lists and neither answers.
 */
const READ_WITHIN_MS = 500;
/** How soon a listener that has reason to doubt the list reads it again. */
const DOUBT_MS = 1_000;

/**
 * A listener's place among those that listen for the same work. Each holds a lock on its listening session, so that
 * nobody is counted who is gone, and there is no table to keep. Who dies tells nobody; the next one who reads the list
 * tells all.
 */
export class ListenerGroup {
  readonly #groups: readonly string[];
  #places: readonly ListenerPlace[] = [];
  /** What the list was when it was last read. */
  #known = '';
  #isReading = false;
  #readMs = -Infinity;

  constructor(
    private readonly abilities: Abilities,
    private readonly clock: Clock,
    private readonly ask: Ask,
    private readonly signal: AbortSignal,
  ) {
    const types = [...abilities.types].sort().join();
    this.#groups = abilities.queues.map((queue) => `${queue} ${types}`);
  }

  /** Joins the groups on a new connection. */
  async join(ask: Ask, backendPid: number): Promise<void> {
    this.#places = [];
    await ask(TEXTS.join, [this.#groups, backendPid]);
  }

  /** null: the others are not known. */
  placeIn(queue: string): Place | null {
    const { rank, count } = this.#places[this.abilities.queues.indexOf(queue)] ?? { rank: null, count: 0 };
    return rank === null ? null : { rank, count };
  }

  /** Somebody has come or gone. */
  forget(): void {
    this.#places = [];
    if (this.#isReading) return;
    this.#isReading = true;
    void pause(this.clock, Math.random() * READ_WITHIN_MS, this.signal).then(() => {
      this.#isReading = false;
      if (!this.signal.aborted) return this.#read().catch(() => {});
    });
  }

  /** Reads who is there, and tells all where that has changed. Rejects when the connection is lost. */
  async check(): Promise<void> {
    if (this.#isReading) return;
    const before = this.#known;
    await this.#read();
    if (this.#known !== before) await this.ask(TEXTS.tell);
  }

  /** A spare has found what was left to somebody else, who may be gone. */
  doubt(): void {
    if (this.clock.monotonicMs() - this.#readMs > DOUBT_MS) void this.check().catch(() => {});
  }

  async #read(): Promise<void> {
    this.#readMs = this.clock.monotonicMs();
    const places = (await this.ask(TEXTS.read, [this.#groups])) as ListenerPlace[];
    this.#known = places.map(({ pids }) => pids).join();
    // somebody has come or gone meanwhile
    if (!this.#isReading) this.#places = places;
  }
}

/** Where a listener stands among those that could do its work; `rank` counts from 0. */
interface Place {
  readonly count: number;
  readonly rank: number;
}

/**
 * What a wake-up asks of the listener at that place: to claim at once (`chosen`), to look a little later whether the
 * others have (`spare`), or nothing (null). Whoever does not know the others is chosen.
 *
 * All listeners of a group come to the same answer, because they use the same number. Transaction numbers come in steps:
 * the golden ratio spreads them over all listeners, whatever the step is.
 */
export function chooseListener(place: Place | null, { number, runs }: HintShare): 'chosen' | 'spare' | null {
  if (place === null) return 'chosen';
  const { count, rank } = place;
  const first = Math.floor(((Math.imul(number, 0x9e3779b1) >>> 0) / 2 ** 32) * count);
  const distance = (rank - first + count) % count;
  if (distance < runs) return 'chosen';
  return distance === runs ? 'spare' : null;
}

const NOTIFY = statementText((db) => notifyWake(db));
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
    this.ask(NOTIFY, [hint]).catch(() => {});
  }
}

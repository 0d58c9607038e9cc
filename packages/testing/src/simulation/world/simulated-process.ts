import { type Clock } from '@duework/queue-core';
import { pause } from '@duework/queue-core/internals';
import type { Faults } from './faults.js';
import { keyedRandom } from './keyed-random.js';
import { STEP_FAULTS, type FaultKind } from '../plan/plan.js';
import type { VirtualTime } from './virtual-time.js';

export interface ProcessOptions {
  readonly name: string;
  readonly seed: number;
  readonly time: VirtualTime;
  readonly faults: Faults;
  readonly possible: readonly FaultKind[];
  readonly trace: (line: string) => void;
  readonly onDeath: () => void;
}

type Arrival = 'timer' | 'answer';

/** The shortest stall of a stopped process; with `MORE_STALL_MS`, most stalls are longer than most leases. */
const MIN_STALL_MS = 300;
const MORE_STALL_MS = 5_500;

/**
 * A process as the system sees it: timers and answers arrive at it. When it is dead nothing arrives any more; while it
 * is stopped (SIGSTOP) all of them are withheld, and arrive much later, when it is resumed.
 */
export class SimulatedProcess {
  readonly clock: Clock;
  /** Called when the process is stopped. */
  onStall: (place: string) => void = () => {};
  /** Its session was lost, and no heartbeat has been answered since: its handlers cannot know that their leases are. */
  isUnsure = false;
  /** When the process was last resumed. */
  resumedMs = -Infinity;
  #state: 'running' | 'stopped' | 'dead' = 'running';
  #withheld: { readonly arrival: Arrival; readonly callback: () => void }[] = [];
  readonly #counts = new Map<string, number>();

  constructor(readonly options: ProcessOptions) {
    const { time, seed, name } = options;
    // a monotonic clock begins anywhere
    const bootedMs = Math.floor(keyedRandom(seed, `${name}/boot`)() * 1e6);
    this.clock = {
      monotonicMs: () => bootedMs + time.monotonicMs(),
      after: (ms, callback) => {
        let isCancelled = false;
        const cancel = time.after(ms, () =>
          this.deliver('timer', () => {
            if (!isCancelled) callback();
          }),
        );
        return () => {
          isCancelled = true;
          cancel();
        };
      },
      soon: (callback) => void time.after(0, () => this.deliver('timer', callback)),
    };
  }

  get name(): string {
    return this.options.name;
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  get isStopped(): boolean {
    return this.#state === 'stopped';
  }

  /** The place of its next call of that kind, as plans name it. */
  nextPlace(verb: string): string {
    const count = (this.#counts.get(verb) ?? 0) + 1;
    this.#counts.set(verb, count);
    return `${this.name}/${verb}#${count}`;
  }

  /** Calls back now, when the process is resumed, or, after its death, never. */
  deliver(arrival: Arrival, callback: () => void): void {
    if (this.#state === 'running') callback();
    else if (this.#state === 'stopped') this.#withheld.push({ arrival, callback });
  }

  crash(place: string): void {
    if (this.isDead) return;
    this.#state = 'dead';
    this.#withheld = [];
    this.options.trace(`${place} crash: ${this.name} is dead`);
    this.options.onDeath();
  }

  stall(place: string): void {
    if (this.#state !== 'running') return;
    const { seed, time, trace } = this.options;
    const random = keyedRandom(seed, `${place}/stall`);
    const [ms, first] = [MIN_STALL_MS + random() * MORE_STALL_MS, random() < 0.5 ? 'timer' : 'answer'];
    this.#state = 'stopped';
    trace(`${place} stall: ${this.name} is stopped for ${Math.round(ms)} ms`);
    this.onStall(place);
    time.after(ms, () => {
      if (this.isDead) return;
      this.#state = 'running';
      this.resumedMs = time.monotonicMs();
      trace(`${this.name} goes on`);
      const withheld = this.#withheld.splice(0);
      const inOrder = [
        ...withheld.filter(({ arrival }) => arrival === first),
        ...withheld.filter(({ arrival }) => arrival !== first),
      ];
      for (const { arrival, callback } of inOrder) time.after(0, () => this.deliver(arrival, callback));
    });
  }

  /** An await of a handler: `ms`, or until `signal` aborts. */
  async step(ms: number, signal?: AbortSignal): Promise<void> {
    const place = this.nextPlace('handler');
    const fault = this.options.faults.at(place, STEP_FAULTS);
    if (fault === 'crash-before') this.crash(place);
    if (fault === 'stall-before') this.stall(place);
    await pause(this.clock, ms, signal);
  }
}

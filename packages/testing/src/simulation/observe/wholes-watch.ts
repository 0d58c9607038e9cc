import type { JobContext, Settlement } from '@duework/queue-core';
import { BATCH_MOMENTS, type Batch } from '@duework/queue-core/ports';
import type { MemoryRun } from '../../memory/tables/memory-run.js';
import type { MemoryTables } from '../../memory/tables/memory-tables.js';
import type { Seen } from './seen.js';

/** The clock of the store ends its moments at whole milliseconds. */
const ROUNDED_MS = 1;

/** Watches what belongs together: steps, waits, signals, children and batches. */
export class WholesWatch {
  #serial = 0;
  /** By run and step: what it has answered, when it was first asked to sleep, and who has received which signal. */
  readonly #answers = new Map<string, string>();
  readonly #asked = new Map<string, number>();
  readonly #receivers = new Map<number, string>();
  /** By job and number: the one run that stands for it. */
  readonly #single = new Map<string, string>();
  readonly #died = new Set<string>();

  constructor(
    private readonly tables: MemoryTables,
    private readonly violate: (promise: string, facts: string) => void,
  ) {}

  /** A number that there was not before: what two doings of one step differ in, and two signals. */
  nextSerial(): number {
    return ++this.#serial;
  }

  /** The work of a step begins. */
  begins({ run: { id }, fence }: JobContext, name: string): void {
    if (this.tables.owned(id, fence) !== undefined && this.tables.steps.get(id)?.has(name) === true)
      this.violate('a step that is kept is not done again', `${name} of job ${id}`);
  }

  answers({ run: { id } }: JobContext, name: string, value: unknown): void {
    const [key, answer] = [`${id} ${name}`, JSON.stringify(value)];
    const known = this.#answers.get(key) ?? answer;
    if (known !== answer)
      this.violate('a step answers the same in every attempt', `${name} of job ${id}: ${known}, then ${answer}`);
    this.#answers.set(key, known);
  }

  asksToSleep({ run: { id } }: JobContext, name: string): void {
    const key = `${id} ${name}`;
    if (!this.#asked.has(key)) this.#asked.set(key, this.tables.nowMs());
  }

  wakesUp({ run: { id } }: JobContext, name: string, ms: number): void {
    const sleptMs = this.tables.nowMs() - this.#asked.get(`${id} ${name}`)!;
    if (sleptMs < ms - ROUNDED_MS)
      this.violate('nobody wakes up before the time', `${name} of job ${id} after ${sleptMs} of ${ms} ms`);
  }

  receives({ run: { id } }: JobContext, name: string, serial: number): void {
    const receiver = `${name} of job ${id}`;
    const known = this.#receivers.get(serial) ?? receiver;
    if (known !== receiver) this.violate('a signal is received once', `${serial}: by ${known}, and by ${receiver}`);
    this.#receivers.set(serial, known);
  }

  /** Whether a run has changed because of another one: what it waited for has come, or its parent was cancelled. */
  explains(run: MemoryRun, before: Seen, verb: string, args: readonly unknown[]): boolean {
    if (verb === 'settle' && (args[0] as readonly Settlement[]).some(({ id }) => id === run.id)) return false;
    return this.#isWoken(run, before) || this.#isCancelledWithParent(run, before);
  }

  #isWoken(run: MemoryRun, before: Seen): boolean {
    const isEarlier = run.runAtMs === this.tables.nowMs() && before.runAtMs > run.runAtMs;
    const stays = before.status === 'queued' && run.status === 'queued' && run.fence === before.fence;
    return isEarlier && stays && [...this.#waitsOf(run.id)].some(({ arrivedAt }) => arrivedAt !== null);
  }

  #isCancelledWithParent(run: MemoryRun, before: Seen): boolean {
    if (run.cancelRequestedAtMs === null || before.cancelRequestedAtMs !== null) return false;
    if (run.status !== 'cancelled' && run.status !== before.status) return false;
    return [...this.tables.children].some(
      ([parent, children]) =>
        [...children.values()].includes(run.id) && this.tables.find(parent)!.cancelRequestedAtMs !== null,
    );
  }

  #waitsOf(id: string) {
    return this.tables.waits.get(id)?.values() ?? [];
  }

  /** Looks at all batches, and whether a child or a callback is there twice. */
  look(): void {
    const { batches } = this.tables.batches.list({ limit: 1_000 });
    const runs = [...this.tables.live.values(), ...this.tables.history.values()];
    for (const batch of batches)
      this.#lookAt(
        batch,
        runs.filter(({ terms }) => terms?.batch === batch.id),
      );
    for (const run of runs) if (run.type === 'told' || run.type === 'leg') this.#lookAtSingle(run, batches);
  }

  #lookAt(batch: Batch, jobs: readonly MemoryRun[]): void {
    const count = (status: string): number => jobs.filter((run) => run.status === status).length;
    const counted = [jobs.length, count('succeeded'), count('dead'), count('cancelled')].join(' ');
    const told = [batch.jobs, batch.succeeded, batch.dead, batch.cancelled].join(' ');
    if (counted !== told) this.violate('a batch counts its jobs exactly', `${told} instead of ${counted}`);
    if (count('dead') > 0) this.#died.add(batch.id);
  }

  #lookAtSingle({ id, type, payloadJson }: MemoryRun, batches: readonly Batch[]): void {
    const key = `${type} ${payloadJson}`;
    const known = this.#single.get(key);
    if (known === id) return;
    if (known !== undefined)
      return this.violate(
        type === 'told' ? 'a batch tells of each moment once' : 'a child is enqueued once',
        `jobs ${known} and ${id}`,
      );
    this.#single.set(key, id);
    const batch = batches.find(({ callbacks }) => Object.values(callbacks).includes(id));
    if (
      batch !== undefined &&
      BATCH_MOMENTS.some((moment) => batch.callbacks[moment] === id && !this.#isTime(moment, batch))
    )
      this.violate('a batch tells of nothing that has not come', `job ${id} of ${JSON.stringify(batch)}`);
  }

  #isTime(moment: keyof Batch['callbacks'], { id, jobs, open, succeeded }: Batch): boolean {
    if (moment === 'onFirstDead') return this.#died.has(id);
    return moment === 'onSucceeded' ? succeeded === jobs : open === 0;
  }

  /** A batch that has yet to tell of something; null: none has. */
  findUntold(): string | null {
    for (const batch of this.tables.batches.list({ limit: 1_000 }).batches)
      for (const moment of BATCH_MOMENTS)
        if (batch.callbacks[moment] === null && this.#isTime(moment, batch))
          return `${moment} of ${JSON.stringify(batch)}`;
    return null;
  }
}

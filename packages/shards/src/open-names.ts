import { DueworkError } from '@duework/sql/errors';
import type { AskShards } from './ask-shards.js';
import { readShard } from './sql/shard-row.js';
import type { ShardClients } from './shards.js';

/** How long a shard that was closed may still get jobs that any shard would do for. */
const ASK_EVERY_MS = 5_000;

/** Which shards take jobs that any would do for. */
export class OpenNames {
  #askedMs = -Infinity;
  #names: Promise<readonly string[]> = Promise.resolve([]);

  constructor(
    readonly shards: ShardClients,
    readonly ask: AskShards,
    readonly now: () => number = () => performance.now(),
  ) {}

  /** One that does not answer is left out: it is asked again soon. Throws `shard_not_given` where all are closed. */
  names(): Promise<readonly string[]> {
    if (this.now() - this.#askedMs < ASK_EVERY_MS) return this.#names;
    this.#askedMs = this.now();
    this.#names = this.#read();
    this.#names.catch(() => (this.#askedMs = -Infinity));
    return this.#names;
  }

  async #read(): Promise<readonly string[]> {
    const all = Object.keys(this.shards);
    const { answers } = await this.ask.ask(all, (shard) => readShard(this.shards[shard]!));
    const open = answers.flatMap(({ shard, answer }) => (answer?.closedAt ? [] : [shard]));
    if (open.length === 0)
      throw new DueworkError('shard_not_given', { what: 'a job while each shard is closed', shards: all });
    return open;
  }
}

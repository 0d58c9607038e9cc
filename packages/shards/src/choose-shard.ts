import type { EventContract, JobContract, SignalContract } from '@duework/contracts';
import type { JobRequest } from '@duework/queue-core';
import { DueworkError } from '@duework/sql/errors';
import { makeNewEvent, makeNewSignal } from '@duework/queue-core/internals';
import { makeNewRun } from '@duework/queue-core/ports';
import type { ShardOf } from './shards.js';

interface Choice {
  readonly names: readonly string[];
  readonly shardOf: ShardOf | undefined;
}

/**
 * The shard of jobs that are written together: the one that `shardOf` names for each that it names one for; null: any will
 * do, because none of them has a key or an order. Throws `shard_not_given`, `shards_differ`, `unknown_shard`, and what
 * `enqueue` throws.
 */
export function chooseShard(requests: readonly JobRequest[], choice: Choice): string | null {
  const chosen = new Set<string>();
  for (const request of requests) {
    const shard = askFor(request.contract, request.payload, choice, () => makeNewRun(request));
    if (shard !== null) chosen.add(shard);
  }
  const [shard, ...others] = chosen;
  if (others.length > 0) throw new DueworkError('shards_differ', { shards: [...chosen] });
  if (shard !== undefined) return shard;
  const bound = requests.find(isBound);
  if (bound !== undefined)
    throw new DueworkError('shard_not_given', {
      what: `a ${bound.contract.type} with a key or an order`,
      shards: choice.names,
    });
  return null;
}

/** Whether it means something only beside others of its shard: what its key makes one, or what its order puts in line. */
function isBound(request: JobRequest): boolean {
  const { key, flow } = makeNewRun(request);
  return key !== null || flow?.gates?.some((gate) => gate.startsWith('order/')) === true;
}

/** The shard of a signal. Throws `shard_not_given`, `unknown_shard`, and what `signal` throws. */
export function chooseShardOfSignal(contract: SignalContract, payload: unknown, choice: Choice): string {
  const shard = askFor(contract, payload, choice, () => makeNewSignal(contract, payload));
  if (shard === null)
    throw new DueworkError('shard_not_given', { what: `the signal ${contract.name}`, shards: choice.names });
  return shard;
}

/** The shard of an event: its subscribers may have orders, of which its publisher knows nothing. Throws the same. */
export function chooseShardOfEvent(event: EventContract, payload: unknown, choice: Choice): string {
  const shard = askFor(event, payload, choice, () => makeNewEvent(event, payload));
  if (shard === null)
    throw new DueworkError('shard_not_given', { what: `the event ${event.name}`, shards: choice.names });
  return shard;
}

/**
 * What `shardOf` says. It is given what no contract has checked: where it throws, `check` says what is wrong with it, if that was
 * the reason.
 */
function askFor(
  contract: JobContract | SignalContract | EventContract,
  payload: unknown,
  { names, shardOf }: Choice,
  check: () => unknown,
): string | null {
  try {
    const shard = shardOf?.(contract, payload) ?? null;
    return shard === null ? null : checkKnown(shard, names);
  } catch (error) {
    check();
    throw error;
  }
}

/** Throws `unknown_shard`. */
export function checkKnown(shard: string, names: readonly string[]): string {
  if (!names.includes(shard)) throw new DueworkError('unknown_shard', { shard, shards: names });
  return shard;
}

import type { Lane, System } from '../systems/system.js';
import type { ProducerVerbs } from './producer.js';
import { startBenchProcess, type BenchProcess, type VerbsOf } from './start-bench-process.js';
import type { TransactorVerbs } from './transactor.js';

const STOP_MS = 10_000;

export interface ClosedProcess<TVerbs> extends Omit<BenchProcess<TVerbs>, 'end'> {
  /** Closes its connections; kills it if that takes long. */
  stop(): Promise<void>;
}

interface Opening {
  readonly system: System;
  readonly url: string;
  readonly name: string;
}

/** Opens a producer process of one system; `ask` it for one of the ways of producer.ts. */
export async function openProducer({
  system,
  url,
  name,
  lane,
}: Opening & { readonly lane?: Lane }): Promise<ClosedProcess<ProducerVerbs>> {
  const producer = start<ProducerVerbs>('producer', name);
  await producer.ask('open', { system: system.name, url, lane });
  return producer;
}

/** Opens a process that writes business rows into `ordersUrl`, and enqueues a job with each through one system. */
export async function openTransactor({
  system,
  url,
  name,
  ordersUrl,
}: Opening & { readonly ordersUrl: string }): Promise<ClosedProcess<TransactorVerbs>> {
  const transactor = start<TransactorVerbs>('transactor', name);
  await transactor.ask('open', { system: system.name, url, ordersUrl });
  return transactor;
}

function start<TVerbs extends VerbsOf<TVerbs> & { close(facts: object): Promise<void> }>(
  main: 'producer' | 'transactor',
  name: string,
): ClosedProcess<TVerbs> {
  const { end, ...started } = startBenchProcess<{ close(facts: object): Promise<void> }>({ main, name });
  const stop = async (): Promise<void> => {
    await started.ask('close', {}, STOP_MS).catch(() => {});
    await end();
  };
  return { ...(started as Omit<BenchProcess<TVerbs>, 'end'>), stop };
}

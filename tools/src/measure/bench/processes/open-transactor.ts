import type { System } from '../systems/system.js';
import { startBenchProcess, type BenchProcess } from './start-bench-process.js';
import type { TransactorVerbs } from './transactor.js';

const STOP_MS = 10_000;

export interface TransactorProcess extends Omit<BenchProcess<TransactorVerbs>, 'end'> {
  /** Closes its connections; kills it if that takes long. */
  stop(): Promise<void>;
}

/** Opens a process that writes business rows, and enqueues a job with each through one system. */
export async function openTransactor(options: {
  readonly system: System;
  readonly url: string;
  /** The database with the business table. */
  readonly ordersUrl: string;
  readonly name: string;
}): Promise<TransactorProcess> {
  const { system, url, ordersUrl, name } = options;
  const { end, ...transactor } = startBenchProcess<TransactorVerbs>({ main: 'transactor', name });
  await transactor.ask('open', { system: system.name, url, ordersUrl });
  return {
    ...transactor,
    async stop() {
      await transactor.ask('close', {}, STOP_MS).catch(() => {});
      await end();
    },
  };
}

import type { Lane, System } from '../systems/system.js';
import type { ProducerVerbs } from './producer.js';
import { startBenchProcess, type BenchProcess } from './start-bench-process.js';

const STOP_MS = 10_000;

export interface ProducerProcess extends Omit<BenchProcess<ProducerVerbs>, 'end'> {
  /** Closes the producer; kills it if that takes long. */
  stop(): Promise<void>;
}

/** Opens a producer process of one system; `ask` it for one of the ways of producer.ts. */
export async function openProducer(options: {
  readonly system: System;
  readonly url: string;
  readonly name: string;
  readonly lane?: Lane;
}): Promise<ProducerProcess> {
  const { system, url, name, lane } = options;
  const { end, ...producer } = startBenchProcess<ProducerVerbs>({ main: 'producer', name });
  await producer.ask('open', { system: system.name, url, lane });
  return {
    ...producer,
    async stop() {
      await producer.ask('close', {}, STOP_MS).catch(() => {});
      await end();
    },
  };
}

import { startProcess } from './start-process.mjs';

/** Opens a producer process of one system; `ask` it for one of the ways of producer.mjs. */
export async function openProducer({ system, url, name }) {
  const producer = startProcess('producer.mjs', name);
  await producer.ask('open', { system: system.name, url });
  return {
    ...producer,
    async stop() {
      await producer.ask('close', {}, 10_000).catch(() => {});
      await producer.end();
    },
  };
}

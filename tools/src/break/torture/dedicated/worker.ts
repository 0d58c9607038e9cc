/** A worker of the dedicated queue, which writes down at once what it does, so that a kill leaves it behind. */
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createBullmqStore } from '@duework/bullmq';
import { createWorker, type HandlerLog } from '@duework/queue-core';
import { serveParent } from '../../../kit/serve-parent.js';
import { readSettings } from '../processes/read-settings.js';
import { connectDedicated, type DedicatedAddress } from './connect-dedicated.js';
import { dedicatedCatalog, type WitnessLine } from './dedicated-jobs.js';

const WORK_MS = 5;
const { address, name, file } = readSettings() as {
  readonly address: DedicatedAddress;
  readonly name: string;
  readonly file: string;
};
const silent: HandlerLog = { debug() {}, info() {}, warn() {}, error() {} };
const write = (line: WitnessLine): void => appendFileSync(file, `${JSON.stringify(line)}\n`);

const tell = serveParent({});
const worker = createWorker({
  name,
  store: createBullmqStore({ connection: connectDedicated(address) }),
  catalog: dedicatedCatalog,
  handlers: {
    async note({ run, fence }) {
      write({ kind: 'begun', id: run.id, fence });
      await pause(WORK_MS);
    },
    async mail({ run, fence, payload, once }) {
      write({ kind: 'begun', id: run.id, fence });
      await once('send', async () => {
        write({ kind: 'mailed', n: payload.n });
        await pause(WORK_MS);
      });
    },
  },
  emit(event) {
    if (event.name === 'job.succeeded')
      write({ kind: 'succeeded', id: event.run.id, fence: event.run.fence, atMs: Date.now() });
  },
  logOf: () => silent,
  pollIntervalMs: 100,
  maintenance: { rescueIntervalMs: 500 },
});
await worker.start();
tell('started');

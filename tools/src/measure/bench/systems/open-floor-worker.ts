import type pg from 'pg';
import { openClient } from '../../../kit/open-client.js';
import { FloorWorker } from './floor-worker.js';
import type { Adapter } from './system.js';

const CONCURRENCY = 100;
const SETTLE_CONNECTIONS = 2;
const PLANS = '-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

/** Claims ahead on one connection, settles on two, listens on a fourth. */
export const openFloorWorker: Adapter['openWorker'] = async (url, { handle, concurrency = CONCURRENCY }) => {
  const open = (): Promise<pg.Client> => openClient(url, { options: PLANS });
  const worker = new FloorWorker(handle, concurrency);
  const claimer = await open();
  const settlers = await Promise.all(Array.from({ length: SETTLE_CONNECTIONS }, open));
  const listener = await open();
  listener.on('notification', () => worker.wake());
  await listener.query('LISTEN bench_floor');
  let loops: Promise<unknown> = Promise.resolve();
  return {
    start() {
      loops = Promise.all([
        worker.claimUntilStopped(claimer),
        ...settlers.map((client) => worker.settleUntilStopped(client)),
      ]);
    },
    async stop() {
      worker.stop();
      await loops;
      await Promise.all([claimer, ...settlers, listener].map((client) => client.end()));
    },
  };
};

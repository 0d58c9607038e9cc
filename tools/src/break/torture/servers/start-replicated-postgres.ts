import { setTimeout as pause } from 'node:timers/promises';
import { failOver, Replica, startReplicas, untilReplicated } from '@duework/testing/replicas';
import { onEnd } from '../../../kit/clean-up.js';
import { makeDataDir, removeDir } from '../../../kit/data-dirs.js';
import { startProxy } from './start-proxy.js';
import { removeLeftovers } from './remove-leftovers.js';
import { SETTINGS, type TorturedPostgres } from './start-postgres.js';

/**
 * Three servers to torture, and an address that follows the primary, as whoever manages them has it: who kills or hangs the
 * primary promotes the standby that is furthest, and what was the primary comes back as a standby of it.
 */
export async function startReplicatedPostgres(): Promise<TorturedPostgres> {
  removeLeftovers();
  const dir = makeDataDir('torture');
  const replicas = ['r1', 'r2', 'r3'].map((name) => new Replica(name, SETTINGS)) as [Replica, Replica, Replica];
  const stop = onEnd(() => {
    for (const each of replicas) each.remove();
    removeDir(dir);
  });
  await startReplicas(...replicas);
  let primary: Replica = replicas[0];
  const address = await startProxy(() => primary.port);
  const start = async (): Promise<void> => {
    address.mend();
    await primary.start();
    await untilReplicated(primary);
  };
  return {
    url: primary.url.replace(`:${primary.port}/`, `:${address.port}/`),
    port: address.port,
    dir,
    disk: null,
    async restart(_mode, downMs) {
      primary.kill();
      await pause(downMs);
      await start();
    },
    startAgain: start,
    async changePrimary(how) {
      const old = primary;
      if (how === 'kill') old.kill();
      else old.freeze();
      primary = await failOver(replicas.filter((each) => each !== old) as [Replica, Replica]);
      // the sessions of the old one are closed, and new ones go to the next one
      address.cut({ isClosed: true });
      address.mend();
    },
    async rebuildOld() {
      for (const each of replicas) {
        if (each === primary || (await each.isStandby())) continue;
        each.kill();
        await each.rebuildFrom(primary);
      }
      await untilReplicated(primary);
    },
    stop,
  };
}

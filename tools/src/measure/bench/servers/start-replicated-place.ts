import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Replica, startReplicas } from '@duework/testing/replicas';
import { onEnd } from '../../../kit/clean-up.js';
import type { Place } from './make-place.js';
import { BENCH_SETTINGS } from './start-bench-postgres.js';

export interface ReplicatedPlace extends Place {
  readonly serverPid: undefined;
  /** Of the primary first. */
  readonly pids: readonly number[];
}

/** A migrated database on three servers, each commit of which is answered when one of the two standbys has it on its disk. */
export async function startReplicatedPlace(): Promise<ReplicatedPlace> {
  const replicas = ['r1', 'r2', 'r3'].map((name) => new Replica(name, BENCH_SETTINGS)) as [Replica, Replica, Replica];
  const drop = onEnd(() => {
    for (const each of replicas) each.remove();
  });
  await startReplicas(...replicas);
  return {
    url: replicas[0].url,
    serverPid: undefined,
    pids: replicas.map(({ dataDir }) => Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])),
    drop: async () => drop(),
  };
}

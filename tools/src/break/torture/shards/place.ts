import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectPg, type PgClient } from '@duework/database';
import { migrateDatabase } from '@duework/database/migrate';
import { foundShard } from '@duework/shards';
import { startPostgres } from '../../../kit/servers/start-postgres.js';
import { mountSmallDisk, type SmallDisk } from '../servers/mount-small-disk.js';
import { startProxy, type Proxy } from '../servers/start-proxy.js';
import { WITNESS } from './shard-jobs.js';

const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  max_wal_size: '128MB',
  log_min_messages: 'fatal',
};
const DISK_MB = 512;
const RETRY_MS = 200;

/** One shard: a server, the cable before it, and a client for the observer that goes past the cable. */
export interface ShardPlace {
  readonly name: string;
  /** Through the cable. */
  readonly url: string;
  readonly cable: Proxy;
  readonly direct: PgClient;
  /** Kills the server at once, and starts it again after `downMs`. */
  kill(downMs: number): Promise<void>;
  /** Stops every process of the server for so long. */
  freeze(ms: number): Promise<void>;
  /** Fills its disk for so long. Absent: a small file system of its own takes root on Linux. */
  fillDisk?(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** `disks`: the small disks that are mounted; the caller unmounts them once all servers have ended. */
export async function startShardPlace(name: string, dir: string, disks: SmallDisk[]): Promise<ShardPlace> {
  const diskDir = join(dir, name);
  const disk = mountSmallDisk(diskDir, DISK_MB);
  if (disk !== null) disks.push(disk);
  const server = await startPostgres({ dir: diskDir, settings: SETTINGS });
  const start = async (): Promise<void> => {
    for (;;) {
      try {
        return await server.start();
      } catch {
        await pause(RETRY_MS);
      }
    }
  };
  await migrateDatabase({ url: server.url });
  const direct = connectPg({ url: server.url, poolSize: 2, onConnectionLost: () => {} });
  for (const text of WITNESS) await direct.$queryRaw({ text, values: [] });
  await foundShard(direct, name);
  const cable = await startProxy(server.port);
  const url = new URL(server.url);
  url.port = String(cable.port);
  return {
    name,
    url: url.toString(),
    cable,
    direct,
    async kill(downMs) {
      const pid = server.readPid();
      if (pid !== undefined) signal([pid, ...childrenOf(pid)], 'SIGKILL');
      await pause(downMs);
      await start();
    },
    async freeze(ms) {
      const pid = server.readPid();
      if (pid === undefined) return;
      const frozen = [pid, ...childrenOf(pid)];
      signal(frozen, 'SIGSTOP');
      await pause(ms);
      signal(frozen, 'SIGCONT');
    },
    ...(disk === null
      ? {}
      : {
          async fillDisk(ms: number) {
            disk.fill();
            await pause(ms);
            disk.free();
            // it may have fallen
            await start();
          },
        }),
    async stop() {
      cable.stop();
      await direct.$disconnect();
      server.stop();
    },
  };
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // it has ended
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((id) => {
    if (!/^\d+$/.test(id)) return [];
    try {
      // the name, in brackets, may have blanks
      const [, , ppid] = /^\d+ \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
      return Number(ppid) === parent ? [Number(id)] : [];
    } catch {
      return [];
    }
  });
}

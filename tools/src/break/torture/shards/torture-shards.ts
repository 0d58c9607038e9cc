/** `npm run break -- torture --shards 3`: several servers, one after the other of which is hurt, while the others go on. */
import { setTimeout as pause } from 'node:timers/promises';
import { onEnd } from '../../../kit/clean-up.js';
import { makeDataDir, removeDir } from '../../../kit/data-dirs.js';
import { seededRandom } from '../../../kit/seeded-random.js';
import { startProcess, type StartedProcess } from '../../../kit/start-process.js';
import { waitUntil } from '../../../kit/wait-until.js';
import { type FaultWindow, judgeShards, type ShardReport } from './judge-shards.js';
import { keepBusy } from './keep-busy.js';
import { type ShardPlace, startShardPlace } from './place.js';
import { sendJobs } from './send-jobs.js';
import { removeLeftovers } from '../servers/remove-leftovers.js';
import type { SmallDisk } from '../servers/mount-small-disk.js';

export interface ShardsOptions {
  readonly shards: number;
  readonly seed: number;
  /** undefined: each fault once. */
  readonly minutes: number | undefined;
  /** Jobs a second at each shard. */
  readonly perSecond: number;
}

const QUIET_MS = 3_000;
const DRAIN_MS = 90_000;
/** What is late because of a fault belongs to it, and not to the quiet after it. */
const AFTER_MS = 3_000;

/** About as long as a shard catches up. */
const BUSY_MS = 1_500;
/** What a killed worker had in hand is taken up by others once its leases have ended. */
const LEASES_MS = 8_000;

type Fault = (place: ShardPlace) => Promise<void>;
const FAULTS: Readonly<Record<string, Fault>> = {
  'its server is killed': (place) => place.kill(2_000),
  'its server stands still': (place) => place.freeze(8_000),
  'its cables are cut': async ({ cable }) => {
    cable.cut({ isClosed: true });
    await pause(4_000);
    cable.mend();
  },
  'its cables are pulled, and nobody is told': async ({ cable }) => {
    cable.pull();
    await pause(8_000);
    cable.mend();
  },
  'its disk is full': async (place) => place.fillDisk?.(4_000),
};

export async function tortureShards(options: ShardsOptions, say: (line: string) => void): Promise<ShardReport> {
  removeLeftovers();
  const dir = makeDataDir('shards-torture');
  const disks: SmallDisk[] = [];
  onEnd(() => {
    for (const disk of disks) disk.unmount();
    removeDir(dir);
  });
  const random = seededRandom(options.seed);
  const names = Array.from({ length: options.shards }, (_, at) => String.fromCharCode(97 + at));
  const places: ShardPlace[] = [];
  for (const name of names) places.push(await startShardPlace(name, dir, disks));
  if (disks.length === 0) say('no disk is filled: a small file system of its own takes root on Linux');
  const shards = places.map(({ name, url }) => `${name}=${url}`).join(' ');
  const workers: StartedProcess[] = [];
  const startWorker = async (): Promise<void> => {
    const main = 'break/torture/shards/worker.js';
    const worker = startProcess({ main, name: 'worker', args: [JSON.stringify({ shards })] });
    workers.push(worker);
    if ((await worker.next('started')) === null) throw new Error(`A worker did not start: ${worker.said.join(' ')}`);
  };
  await Promise.all([startWorker(), startWorker()]);
  say(`seed ${options.seed}; ${places.length} shards, two workers of all of them, ${options.perSecond} jobs/s at each`);
  const sender = sendJobs(places, options.perSecond);
  const windows: FaultWindow[] = [];
  await pause(QUIET_MS);

  const hurt = async (what: string, fault: Fault): Promise<void> => {
    const place = random.pick(places);
    const fromMs = Date.now();
    say(`${place.name}: ${what}`);
    await fault(place);
    const overMs = Date.now();
    await pause(AFTER_MS);
    windows.push({ shard: place.name, what, fromMs, overMs, untilMs: Date.now() });
    await pause(QUIET_MS);
  };
  /** What the same load on the same cores costs when no shard is hurt. */
  const control = async (): Promise<FaultWindow> => {
    say('the cores are kept busy, and no shard is hurt');
    const fromMs = Date.now();
    await keepBusy(BUSY_MS);
    const overMs = Date.now();
    return { shard: { none: true }, what: 'busy cores', fromMs, overMs, untilMs: overMs };
  };
  const endMs = Date.now() + (options.minutes ?? 0) * 60_000;
  do {
    for (const [what, fault] of Object.entries(FAULTS)) await hurt(what, fault);
    say('a worker of all shards is killed');
    const fromMs = Date.now();
    const victim = workers.shift()!;
    victim.signal('SIGKILL');
    await victim.exited;
    await startWorker();
    const overMs = Date.now();
    await pause(LEASES_MS);
    windows.push({ shard: null, what: 'a worker is killed', fromMs, overMs, untilMs: Date.now() });
    await pause(QUIET_MS);
    windows.push(await control());
    await pause(QUIET_MS);
  } while (Date.now() < endMs);

  await sender.stop();
  say('draining');
  await waitUntil('The shards were not drained', () => isDrained(places), { limitMs: DRAIN_MS }).catch(() => {});
  const report = await judgeShards(places, sender.sent, windows);
  await Promise.all(workers.map((worker) => worker.end()));
  await Promise.all(places.map((place) => place.stop()));
  return report;
}

async function isDrained(places: readonly ShardPlace[]): Promise<boolean> {
  const counts = await Promise.all(
    places.map(({ direct }) =>
      direct.$queryRaw<{ count: number }[]>({
        text: 'SELECT count(*)::int AS count FROM duework.job_runs',
        values: [],
      }),
    ),
  );
  return counts.every(([row]) => row!.count === 0);
}

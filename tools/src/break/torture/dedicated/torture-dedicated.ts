/** `npm run break -- torture --queue bullmq`: the dedicated queue on Redis, whose workers and servers are hurt. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openBullmqQueue } from '@duework/bullmq';
import type { JobQueue } from '@duework/queue-core';
import { onEnd } from '../../../kit/clean-up.js';
import { makeDataDir, removeDir } from '../../../kit/data-dirs.js';
import { startProcess, type StartedProcess } from '../../../kit/start-process.js';
import { waitUntil } from '../../../kit/wait-until.js';
import { connectDedicated } from './connect-dedicated.js';
import { mail, note, type WitnessLine } from './dedicated-jobs.js';
import { judgeDedicated, type AcknowledgedJob } from './judge-dedicated.js';
import { openCluster, openOneRedis, type DedicatedPlace } from './open-place.js';
import type { Verdict } from '../report/print-verdicts.js';

export interface DedicatedReport {
  readonly title: string;
  readonly verdicts: readonly Verdict[];
  readonly acknowledged: number;
  readonly lostByFailover: number;
}

export interface DedicatedOptions {
  /** Jobs a second. */
  readonly perSecond: number;
  /** undefined: each fault once. */
  readonly minutes: number | undefined;
}

const QUIET_MS = 1_000;
const DRAIN_MS = 90_000;
/** Longer than a lease. */
const FROZEN_MS = 4_000;
/** What takes over from a master that died has done so by then. */
const FAILOVER_MS = 8_000;

/** One Redis, and then a cluster, each with workers of its own. */
export async function tortureDedicated(
  { minutes, ...options }: DedicatedOptions,
  say: (line: string) => void,
): Promise<DedicatedReport[]> {
  const each = minutes === undefined ? undefined : minutes / 2;
  return [
    await torturePlace(await openOneRedis(), { ...options, minutes: each }, say),
    await torturePlace(await openCluster(), { ...options, minutes: each }, say),
  ];
}

async function torturePlace(
  place: DedicatedPlace,
  { perSecond, minutes }: DedicatedOptions,
  say: (line: string) => void,
): Promise<DedicatedReport> {
  const dir = makeDataDir('dedicated-torture');
  onEnd(() => removeDir(dir));
  const { address, title } = place;
  const files: string[] = [];
  const workers: StartedProcess[] = [];
  const startWorker = async (): Promise<void> => {
    const name = `w${files.length + 1}`;
    const file = join(dir, name);
    files.push(file);
    const settings = JSON.stringify({ address, name, file });
    const worker = startProcess({ main: 'break/torture/dedicated/worker.js', name, args: [settings] });
    workers.push(worker);
    if ((await worker.next('started')) === null) throw new Error(`A worker did not start: ${worker.said.join(' ')}`);
  };
  await Promise.all([startWorker(), startWorker(), startWorker()]);
  const connection = connectDedicated(address);
  const queue = openBullmqQueue({ connection });
  say(`${title}; three workers, ${perSecond} jobs/s`);
  const sender = sendJobs(queue, perSecond);
  const failoversMs: number[] = [];
  const faults: Readonly<Record<string, () => Promise<void>>> = {
    async 'a worker is killed'() {
      const victim = workers.shift()!;
      victim.signal('SIGKILL');
      await victim.exited;
      await startWorker();
    },
    async 'a worker stands still for longer than its lease'() {
      workers[0]!.signal('SIGSTOP');
      await pause(FROZEN_MS);
      workers[0]!.signal('SIGCONT');
    },
    async 'Redis stands still'() {
      const { pid } = await place.findServer();
      process.kill(pid, 'SIGSTOP');
      // less than what makes a cluster take it for dead
      await pause(1_000);
      process.kill(pid, 'SIGCONT');
    },
    async [address.isCluster ? 'the master dies, and its replica takes over' : 'Redis is killed']() {
      const server = await place.findServer();
      await server.kill();
      if (address.isCluster) {
        failoversMs.push(Date.now());
        await pause(FAILOVER_MS);
      } else await pause(QUIET_MS);
      await server.start();
    },
  };
  const endMs = Date.now() + (minutes ?? 0) * 60_000;
  do {
    for (const [what, fault] of Object.entries(faults)) {
      await pause(QUIET_MS);
      say(what);
      await fault();
    }
  } while (Date.now() < endMs);
  await sender.stop();
  say('draining');
  await waitUntil('The queue was not drained', () => isDrained(queue), { limitMs: DRAIN_MS }).catch(() => {});
  const lines = files.filter((file) => existsSync(file)).flatMap(readLines);
  const { verdicts, lostByFailover } = await judgeDedicated(queue, sender.acknowledged, lines, failoversMs);
  await Promise.all(workers.map((worker) => worker.end()));
  connection.disconnect();
  await place.stop();
  return { title, verdicts, acknowledged: sender.acknowledged.length, lostByFailover };
}

const isDrained = async (queue: JobQueue): Promise<boolean> => (await queue.queueDepth()).length === 0;

/** A line that a kill has cut short was not written. */
function readLines(file: string): WitnessLine[] {
  const complete = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return complete.map((line) => JSON.parse(line) as WitnessLine);
}

/** Enqueues, every fourth time a mail, until it is stopped; calls that hang are waited for. */
function sendJobs(
  queue: JobQueue,
  perSecond: number,
): { readonly acknowledged: readonly AcknowledgedJob[]; stop(): Promise<void> } {
  const acknowledged: AcknowledgedJob[] = [];
  const open = new Set<Promise<void>>();
  const stopping = new AbortController();
  const send = async (n: number): Promise<void> => {
    const type = n % 4 === 0 ? 'mail' : 'note';
    try {
      const { id } = await queue.enqueue(type === 'mail' ? mail : note, { n });
      acknowledged.push({ id, type, atMs: Date.now() });
    } catch {
      // nobody was told that it is there
    }
  };
  const loop = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const call = send(n).finally(() => open.delete(call));
      open.add(call);
      await pause(1_000 / perSecond);
    }
  })();
  return {
    acknowledged,
    async stop() {
      stopping.abort();
      await loop;
      await Promise.all(open);
    },
  };
}

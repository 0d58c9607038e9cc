/** A worker process: opens one system's worker, starts it on request, and reports how many jobs it has handled. */
import { serveParent } from '../../../kit/serve-parent.js';
import { loadAdapter } from '../systems/list-systems.js';
import type { BenchWorker, Lane, SystemName } from '../systems/system.js';
import { makeHandler, type JobName, type Noted, type NotingHandler } from './make-handler.js';
import type { VerbsOf } from './start-bench-process.js';

const TELL_MS = 10;
const RSS_MS = 250;

export interface WorkerOpening {
  readonly system: SystemName;
  readonly url: string;
  readonly job: JobName;
  /** The largest number of ids, for `stamp`. */
  readonly size: number;
  readonly concurrency: number | undefined;
  readonly isRssKept: boolean;
  readonly lane: Lane | undefined;
}

export interface WorkerRead extends Noted {
  /** CPU time since the start, all threads together. */
  readonly cpuMicros: number;
  /** Bytes in memory, four times a second, where that was requested. */
  readonly rss: readonly number[];
}

export interface WorkerVerbs {
  open(facts: WorkerOpening): Promise<void>;
  start(facts: object): Promise<void>;
  read(facts: object): WorkerRead;
  stop(facts: object): Promise<void>;
}

/** What a worker reports by itself, soon after it has handled something. */
export interface WorkerDone {
  readonly done: number;
}

interface Opened {
  readonly worker: BenchWorker;
  readonly handler: NotingHandler;
}

let opened: Opened | null = null;
let cpuAtStart: NodeJS.CpuUsage | undefined;
let done = 0;
let isTelling = false;
const rss: number[] = [];

const verbs: WorkerVerbs & VerbsOf<WorkerVerbs> = {
  async open({ system, url, job, size, concurrency, isRssKept, lane }) {
    const adapter = await loadAdapter(system);
    const handler = makeHandler({ job, size, finish });
    opened = { handler, worker: await adapter.openWorker(url, { handle: handler.handle, concurrency, lane }) };
    if (isRssKept) setInterval(() => rss.push(process.memoryUsage.rss()), RSS_MS).unref();
  },
  async start() {
    cpuAtStart = process.cpuUsage();
    await theOpened().worker.start();
  },
  read() {
    const { user, system } = process.cpuUsage(cpuAtStart);
    return { cpuMicros: user + system, rss, ...theOpened().handler.read() };
  },
  stop: async () => void (await opened?.worker.stop()),
};

const tell = serveParent({ ...verbs }, { isFailureTold: true });

function theOpened(): Opened {
  if (opened === null) throw new Error('The worker is not open.');
  return opened;
}

/** Counts a job, and reports the count soon; an idle worker reports nothing. */
function finish(): void {
  done += 1;
  if (isTelling) return;
  isTelling = true;
  setTimeout(() => {
    isTelling = false;
    tell('done', { done } satisfies WorkerDone);
  }, TELL_MS);
}

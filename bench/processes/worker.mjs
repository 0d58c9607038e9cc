/** A worker process: opens one system's worker, starts it when told, and says how many jobs it has handled. */
import { loadAdapter } from '../systems/find-system.mjs';
import { makeHandler } from './make-handler.mjs';
import { serveParent } from './serve-parent.mjs';

const TELL_MS = 10;
const RSS_MS = 250;

let worker;
let handler;
let cpuAtStart;
let done = 0;
let isTelling = false;
const rss = [];

const tell = serveParent({
  async open({ system, url, job, size, concurrency, isRssKept }) {
    const adapter = await loadAdapter(system);
    handler = makeHandler({ job, size, finish });
    worker = await adapter.openWorker(url, { handle: handler.handle, concurrency });
    if (isRssKept) setInterval(() => rss.push(process.memoryUsage.rss()), RSS_MS).unref();
  },
  async start() {
    cpuAtStart = process.cpuUsage();
    await worker.start();
  },
  /** What was used since the start, all threads together. */
  read() {
    const { user, system } = process.cpuUsage(cpuAtStart);
    return { cpuMicros: user + system, rss, ...handler.read() };
  },
  stop: () => worker.stop(),
});

/** Counts a job, and says so soon; a worker with nothing to do has nothing to say. */
function finish() {
  done += 1;
  if (isTelling) return;
  isTelling = true;
  setTimeout(() => {
    isTelling = false;
    tell('done', { done });
  }, TELL_MS);
}

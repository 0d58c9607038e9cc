import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startProcess } from './processes/start-process.mjs';
import { startProxy } from './servers/start-proxy.mjs';

/** How soon a worker that ended is started anew, as a supervisor does it. */
const RESTART_MS = 1_500;
/** Slots for each job that comes in a second, all workers together: the mix takes half of them. */
const SLOTS_PER_RATE = 0.4;

/**
 * The workers: `count` places, each with a cable of its own to the database; the last one goes through PgBouncer where there is
 * one. A process that ends, for whatever reason, is replaced by one with a new name.
 */
export async function openWorkers({ postgres, pgbouncer, dir, count, perSecond, sampleEvery, note }) {
  let isOpen = true;
  const places = [];

  function start(place) {
    place.generation += 1;
    const name = `${place.name}.${place.generation}`;
    const worker = startProcess('worker.mjs', {
      url: place.url,
      name,
      version: place.version,
      history: join(dir, `history-${name}.jsonl`),
      effects: join(dir, 'effects.jsonl'),
      concurrency: Math.ceil((perSecond * SLOTS_PER_RATE) / count),
      sampleEvery,
    });
    place.worker = Object.assign(worker, { workerName: name, version: place.version });
    place.started = worker.hear('started');
    note('worker.spawned', { worker: name, pid: worker.pid, version: place.version, isPooled: place.isPooled });
    void worker.exited.then(async ({ code, signal }) => {
      note('worker.ended', {
        worker: name,
        code,
        signal,
        isTold: worker.isTold,
        said: worker.said.filter((line) => line.trim() !== '').slice(0, 6),
      });
      if (!isOpen || place.worker !== worker) return;
      await pause(RESTART_MS);
      if (isOpen && place.worker === worker) start(place);
    });
  }

  for (let index = 0; index < count; index++) {
    const isPooled = pgbouncer !== null && index === count - 1;
    const proxy = await startProxy({ host: '127.0.0.1', port: isPooled ? pgbouncer.port : postgres.port });
    const url = new URL(postgres.url);
    url.port = String(proxy.port);
    if (isPooled) url.searchParams.set('pgbouncer', 'true');
    places.push({
      name: `w${index + 1}`,
      proxy,
      url: url.toString(),
      isPooled,
      version: 2,
      generation: 0,
      worker: null,
    });
  }
  for (const place of places) start(place);
  for (const place of places) {
    if ((await place.started) === null) throw new Error(`A worker did not start: ${place.worker.said.join(' ')}`);
  }

  return {
    places,
    /** A deploy of one place: the old process is told to stop, and the new one starts when it has. */
    async replace(place, version) {
      const { worker } = place;
      place.version = version;
      worker.signal('SIGTERM');
      const ended = await worker.exited;
      if (place.worker === worker) start(place);
      await place.started;
      return ended;
    },
    /** Ends all of them as a deploy does; resolves with how each ended. */
    async stop() {
      isOpen = false;
      for (const { worker } of places) worker.signal('SIGTERM');
      const ended = await Promise.all(
        places.map(async ({ worker }) => ({ worker: worker.workerName, ...(await worker.exited) })),
      );
      for (const { proxy } of places) proxy.stop();
      return ended;
    },
  };
}

import { openProducer } from '../processes/open-producer.mjs';
import { openWorkers } from '../processes/open-workers.mjs';

/** From the enqueueing call's return to the handler's start, in two processes. */
async function measurePickup({ system, lab, place, size, name }, perSecond) {
  const { warmUpMs, measuredMs } = size.pickup;
  const jobs = Math.round((perSecond * (warmUpMs + measuredMs)) / 1_000);
  const producer = await openProducer({ system, url: place.url, name });
  let workers;
  try {
    workers = await openWorkers({ system, url: place.url, job: 'stamp', size: jobs, name });
    await lab.settle(place);
    workers.start();
    await workers.drained(0);
    const { returnedMs } = await producer.ask('pace', { perSecond, jobs }, warmUpMs + measuredMs + 60_000);
    await workers.drained(jobs);
    const [{ startedMs }] = await workers.read();
    const warmUp = Math.round((perSecond * warmUpMs) / 1_000);
    return toQuantiles(
      Array.from({ length: jobs - warmUp }, (_, index) => startedMs[warmUp + index] - returnedMs[warmUp + index]),
    );
  } finally {
    await producer.stop();
    await workers?.stop();
  }
}

function toQuantiles(latencies) {
  // a handler may start before its producer has heard of the commit
  const sorted = latencies.map((ms) => Math.max(0, ms)).sort((a, b) => a - b);
  const quantile = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), max: sorted.at(-1) };
}

const figuresOf = (title, atMost) =>
  ['p50', 'p95', 'p99', 'max'].map((key, index) => ({
    key,
    title: index === 0 ? `${title}, p50` : `  ${key}`,
    unit: 'ms',
    isLessBetter: true,
    ...(atMost[key] === undefined ? {} : { targets: [{ atMost: atMost[key] }] }),
  }));

export const pickup100 = {
  name: 'pickup-100',
  figures: figuresOf('Pickup latency at 100/s', { p50: 0.8, p99: 3 }),
  run: (turn) => measurePickup(turn, 100),
};

export const pickup1000 = {
  name: 'pickup-1000',
  figures: figuresOf('Pickup latency at 1,000/s', { p50: 0.8, p99: 4, max: 50 }),
  // one job at a time cannot keep up
  takes: ({ name }) => name !== 'graphile-defaults',
  run: (turn) => measurePickup(turn, 1_000),
};

import { quantile } from '../../../kit/quantile.js';
import { openProducer } from '../processes/open-producer.js';
import { openWorkers, type Workers } from '../processes/open-workers.js';
import type { Figure, Measure, Turn } from './measure.js';

type Quantile = 'p50' | 'p95' | 'p99' | 'max';
const QUANTILES: readonly Quantile[] = ['p50', 'p95', 'p99', 'max'];

/** The time limit after all jobs are sent. */
const LATE_MS = 60_000;

/** From the enqueueing call's return to the handler's start, in two processes; in ms. */
async function measurePickup(turn: Turn, perSecond: number): Promise<Record<Quantile, number>> {
  const { system, lab, place, size, name } = turn;
  const { warmUpMs, measuredMs } = size.pickup;
  const jobs = Math.round((perSecond * (warmUpMs + measuredMs)) / 1_000);
  const warmUp = Math.round((perSecond * warmUpMs) / 1_000);
  const producer = await openProducer({ system, url: place.url, name });
  let workers: Workers | undefined;
  try {
    workers = await openWorkers({ system, url: place.url, job: 'stamp', size: jobs, name });
    await lab.settle(place);
    workers.start();
    await workers.drained(0);
    const { returnedMs } = await producer.ask('pace', { perSecond, jobs }, warmUpMs + measuredMs + LATE_MS);
    await workers.drained(jobs);
    const [{ startedMs }] = await workers.read();
    return toQuantiles(startedMs.subarray(warmUp).map((ms, index) => ms - (returnedMs[warmUp + index] ?? NaN)));
  } finally {
    await producer.stop();
    await workers?.stop();
  }
}

function toQuantiles(latencies: Float64Array): Record<Quantile, number> {
  // a handler may start before its producer has received the answer to the commit
  const ms = latencies.map((each) => Math.max(0, each));
  return { p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99), max: quantile(ms, 1) };
}

const figuresOf = (title: string, atMost: Partial<Record<Quantile, number>>): readonly Figure[] =>
  QUANTILES.map((key, index) => {
    const limit = atMost[key];
    return {
      key,
      title: index === 0 ? `${title}, p50` : `  ${key}`,
      unit: 'ms',
      isLessBetter: true,
      ...(limit === undefined ? {} : { targets: [{ atMost: limit }] }),
    };
  });

export const pickup100: Measure = {
  name: 'pickup-100',
  figures: figuresOf('Pickup latency at 100/s', { p50: 0.8, p99: 3 }),
  run: (turn) => measurePickup(turn, 100),
};

export const pickup1000: Measure = {
  name: 'pickup-1000',
  figures: figuresOf('Pickup latency at 1,000/s', { p50: 0.8, p99: 4, max: 50 }),
  run: (turn) => measurePickup(turn, 1_000),
};

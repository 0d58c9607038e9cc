import type { Measure } from './measure.js';
import { measureDrain } from './measure-drain.js';

const MB = 2 ** 20;
const SAMPLES_PER_MINUTE = 240;

/** How much memory a worker needs for a long drain, and whether that grows. */
export const memory: Measure = {
  name: 'memory',
  figures: [
    {
      key: 'maxMb',
      title: 'Memory of a worker that drains a million',
      unit: 'MB',
      isLessBetter: true,
      targets: [{ atMost: 200 }],
    },
    { key: 'slopeMb', title: '  its growth in the second half', unit: 'MB/min', isLessBetter: true },
    { key: 'jobsPerSecond', title: '  meanwhile', unit: 'jobs/s' },
  ],
  maxRounds: 1,
  takes: ({ isOwn }, { isAsked }) => isOwn === true || isAsked,
  async run({ size, ...turn }) {
    const { rss, jobsPerSecond } = await measureDrain({ ...turn, jobs: size.memoryJobs, isRssKept: true });
    const half = rss.slice(rss.length >> 1);
    return { maxMb: Math.max(...rss) / MB, slopeMb: (slopeOf(half) * SAMPLES_PER_MINUTE) / MB, jobsPerSecond };
  },
};

/** The growth from one value to the next, by least squares. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let above = 0;
  let below = 0;
  for (const [index, value] of values.entries()) {
    above += (index - middle) * (value - mean);
    below += (index - middle) ** 2;
  }
  return below === 0 ? 0 : above / below;
}

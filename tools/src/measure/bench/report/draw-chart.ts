import { renderSvg } from '../rivals/render-svg.js';
import { findMedian, formatNumber, type SavedRun } from './run.js';

/** The figures that the chart shows. */
const SHOWN = [
  ['transaction', 'plain1', 'A row and its job in a Prisma transaction: 1/s'],
  ['transaction', 'plain20', 'The same, 20 callers: 1/s'],
  ['workers-1', 'jobsPerSecond', 'Drain, one worker: jobs/s'],
  ['workers-8', 'jobsPerSecond', 'Drain, eight workers: jobs/s'],
  ['enqueue', 'callers', 'Enqueue, 20 callers at once: jobs/s'],
  ['enqueue', 'bulk', 'Enqueue in batches of 1,000: jobs/s'],
  ['wait', 'jobsPerSecond', 'Jobs of 5 ms, 100 at once: jobs/s'],
  ['pinned', 'after', 'Beside a transaction open for 60 s: jobs/s'],
  ['pickup-1000', 'p99', 'Pickup latency at 1,000/s, p99: ms, less is better'],
  ['spike', 'doneSeconds', '100,000 due at once, until done: s, less is better'],
] as const;
/** Widths in pixels: the names before the bars, the bars, the values behind them. */
const LABELS = 155;
const BARS = 190;
const VALUES = 70;
const FONT_SIZE = 12;
const OWN = '#2f81f7';
const OTHER = '#8b949e';

interface Bar {
  readonly system: string;
  readonly value: number;
  readonly label: string;
}

/** The medians as an SVG: a small bar chart for each figure, with a scale of its own. */
export function drawChart(run: SavedRun): Promise<string> {
  const { rounds, machine } = run;
  const { cpu, cores, memoryGb, versions } = machine;
  const subtitle = `${rounds === 1 ? 'One round' : `Medians of ${rounds} rounds`}. PostgreSQL ${versions['postgres']}, fsync and synchronous_commit on; history and fences on. ${cores} × ${cpu}, ${memoryGb} GB.`;
  return renderSvg('Duework beside its rivals', subtitle, {
    concat: SHOWN.flatMap(([measure, key, title]) => {
      const bars = barsOf(run, measure, key);
      return bars.length === 0 ? [] : [describeBars(title, bars)];
    }),
    columns: 2,
    // from bar to bar, so that the names are below each other
    bounds: 'flush',
    spacing: { row: 48, column: LABELS + VALUES },
  });
}

const barsOf = ({ systems, medians }: SavedRun, measure: string, key: string): Bar[] =>
  systems.flatMap(({ name, title: system }) => {
    const value = findMedian(medians, measure, name, key);
    return value === undefined ? [] : [{ system, value, label: formatNumber(value) }];
  });

/** One figure: a bar for each system, and its value behind it. */
function describeBars(title: string, values: readonly Bar[]): object {
  const y = {
    field: 'system',
    type: 'nominal',
    sort: null,
    axis: { title: null, ticks: false, domain: false, labelFontSize: FONT_SIZE, labelLimit: 0, labelPadding: 6 },
  };
  const x = { field: 'value', type: 'quantitative', axis: null, scale: { nice: false, zero: true } };
  const color = { condition: { test: `indexof(datum.system, 'Duework') === 0`, value: OWN }, value: OTHER };
  return {
    title: { text: title, frame: 'group', anchor: 'start', dx: -LABELS, fontSize: 13, offset: 6 },
    data: { values },
    width: BARS,
    height: { step: 19 },
    encoding: { x, y },
    layer: [
      { mark: { type: 'bar', height: { band: 0.75 } }, encoding: { color } },
      { mark: { type: 'text', align: 'left', dx: 5, fontSize: FONT_SIZE }, encoding: { text: { field: 'label' } } },
    ],
  };
}

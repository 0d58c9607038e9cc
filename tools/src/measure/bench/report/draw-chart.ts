import { importRival } from '../rivals/import-rival.js';
import { formatNumber } from './format-number.js';
import { findMedian, type SavedRun } from './run.js';

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
/** The width of a character as a share of its height, about. */
const LETTER = 0.57;
const FONT_SIZE = 12;
const OWN = '#2f81f7';
const OTHER = '#8b949e';
/** The text's colours follow the reader's theme, and the background is transparent. */
const STYLE = '<style>text{fill:#1f2328}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>';

/** What the chart uses of vega 6 and vega-lite 6. */
interface Vega {
  parse(spec: object): object;
  readonly textMetrics: {
    width: (item: { readonly text?: unknown; readonly fontSize?: number }, text?: unknown) => number;
  };
  readonly View: new (parsed: object, options: { readonly renderer: 'none' }) => { toSVG(): Promise<string> };
}
interface VegaLite {
  compile(spec: object): { readonly spec: object };
}

interface Bar {
  readonly system: string;
  readonly value: number;
  readonly label: string;
}

/**
 * The medians as an SVG: a small bar chart for each figure, with a scale of its own. Needs the packages of the rivals'
 * folder.
 */
export async function drawChart(run: SavedRun): Promise<string> {
  const { parse, textMetrics, View } = await importRival<Vega>('vega');
  // without a canvas vega takes every letter for a wide one, and leaves room for it
  textMetrics.width = (item, text) => String(text ?? item.text).length * (item.fontSize ?? FONT_SIZE) * LETTER;
  const { compile } = await importRival<VegaLite>('vega-lite');
  const { spec } = compile(describeChart(run));
  const svg = await new View(parse(spec), { renderer: 'none' }).toSVG();
  return svg.replace('>', `>${STYLE}`);
}

function describeChart(run: SavedRun): object {
  const { rounds, machine } = run;
  const { cpu, cores, memoryGb, versions } = machine;
  return {
    title: {
      text: 'Duework beside its rivals',
      subtitle: `Medians of ${rounds} round${rounds === 1 ? '' : 's'}. PostgreSQL ${versions['postgres']}, fsync and synchronous_commit on; history and fences on. ${cores} × ${cpu}, ${memoryGb} GB.`,
      anchor: 'start',
      fontSize: 16,
      subtitleFontSize: FONT_SIZE,
      offset: 16,
    },
    concat: SHOWN.flatMap(([measure, key, title]) => {
      const bars = barsOf(run, measure, key);
      return bars.length === 0 ? [] : [describeBars(title, bars)];
    }),
    columns: 2,
    // from bar to bar, so that the names are below each other
    bounds: 'flush',
    spacing: { row: 48, column: LABELS + VALUES },
    config: {
      font: 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif',
      view: { stroke: null },
      background: null,
      padding: 10,
    },
  };
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

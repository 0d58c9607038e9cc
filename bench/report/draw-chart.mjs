import { importRival } from '../rivals/import-rival.mjs';
import { formatNumber } from './format-number.mjs';

/** What the chart shows of all that is measured. */
const SHOWN = [
  ['drain', 'jobsPerSecond', 'Drain, one worker: jobs/s'],
  ['drain-2', 'jobsPerSecond', 'Drain, two workers: jobs/s'],
  ['enqueue', 'callers', 'Enqueue, 20 callers at once: jobs/s'],
  ['enqueue', 'bulk', 'Enqueue in batches of 1,000: jobs/s'],
  ['wait', 'jobsPerSecond', 'Jobs of 5 ms, 100 at once: jobs/s'],
  ['pinned', 'after', 'Beside a transaction open for 60 s: jobs/s'],
  ['pickup-1000', 'p99', 'Pickup latency at 1,000/s, p99: ms, less is better'],
  ['spike', 'doneSeconds', '100,000 due at once, until done: s, less is better'],
];
/** Widths in pixels: the names before the bars, the bars, the values behind them. */
const LABELS = 155;
const BARS = 190;
const VALUES = 70;
/** How wide one is against its height, about. */
const LETTER = 0.57;
const OWN = '#2f81f7';
const OTHER = '#8b949e';
/** The text's colours follow the reader's, and nothing is drawn behind it. */
const STYLE = '<style>text{fill:#1f2328}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>';

/** The medians as an SVG: a small bar chart for each figure, with a scale of its own. */
export async function drawChart(run, summary) {
  const { parse, textMetrics, View } = await importRival('vega');
  // without a canvas it takes every letter for a wide one, and leaves room for that
  textMetrics.width = (item, text) => String(text ?? item.text).length * (item.fontSize ?? 12) * LETTER;
  const { compile } = await importRival('vega-lite');
  const { spec } = compile(describeChart(run, summary));
  const svg = await new View(parse(spec), { renderer: 'none' }).toSVG();
  return svg.replace('>', `>${STYLE}`);
}

function describeChart({ machine, rounds, systems }, summary) {
  const { cpu, cores, memoryGb, versions } = machine;
  return {
    title: {
      text: 'Duework beside its rivals',
      subtitle: `Medians of ${rounds} round${rounds === 1 ? '' : 's'}. PostgreSQL ${versions.postgres}, fsync and synchronous_commit on; history and fences on. ${cores} × ${cpu}, ${memoryGb} GB.`,
      anchor: 'start',
      fontSize: 16,
      subtitleFontSize: 12,
      offset: 16,
    },
    concat: SHOWN.map(([measure, key, title]) =>
      describeBars(
        title,
        systems.flatMap(({ name, title: system }) => {
          const value = summary[measure]?.[name]?.[key];
          return value === undefined ? [] : [{ system, value, label: formatNumber(value) }];
        }),
      ),
    ).filter(({ data }) => data.values.length > 0),
    columns: 2,
    // from bar to bar, so that they stand below each other
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

/** One figure: a bar for each system, and its value behind it. */
function describeBars(title, values) {
  const y = {
    field: 'system',
    type: 'nominal',
    sort: null,
    axis: { title: null, ticks: false, domain: false, labelFontSize: 12, labelLimit: 0, labelPadding: 6 },
  };
  const x = { field: 'value', type: 'quantitative', axis: null, scale: { nice: false, zero: true } };
  return {
    title: { text: title, frame: 'group', anchor: 'start', dx: -LABELS, fontSize: 13, offset: 6 },
    data: { values },
    width: BARS,
    height: { step: 19 },
    encoding: { x, y },
    layer: [
      {
        mark: { type: 'bar', height: { band: 0.75 } },
        encoding: { color: { condition: { test: `datum.system === 'Duework'`, value: OWN }, value: OTHER } },
      },
      { mark: { type: 'text', align: 'left', dx: 5, fontSize: 12 }, encoding: { text: { field: 'label' } } },
    ],
  };
}

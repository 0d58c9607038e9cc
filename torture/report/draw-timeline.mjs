import { importRival } from '../../bench/rivals/import-rival.mjs';
import { installRivals } from '../../bench/rivals/install-rivals.mjs';

const WIDTH = 760;
const HEIGHT = 110;
const LETTER = 0.57;
const [BLUE, ORANGE, RED] = ['#2f81f7', '#d4761e', '#cf222e'];
/** The text's colours follow the reader's, and nothing is drawn behind it. */
const STYLE = '<style>text{fill:#1f2328}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>';

/** A run as an SVG: what ended each second, how long runs waited, and memory, over time, with the faults marked. */
export async function drawTimeline(summary) {
  await installRivals([], { isChartWanted: true });
  const { parse, textMetrics, View } = await importRival('vega');
  textMetrics.width = (item, text) => String(text ?? item.text).length * (item.fontSize ?? 12) * LETTER;
  const { compile } = await importRival('vega-lite');
  const svg = await new View(parse(compile(describe(summary)).spec), { renderer: 'none' }).toSVG();
  return svg.replace('>', `>${STYLE}`);
}

function describe({ timeline, gauges, faults, minutes, perSecond, workers, seed }) {
  const inMinutes = (list) => list.map(({ s, ...rest }) => ({ minute: s / 60, ...rest }));
  const marks = faults.map(({ fault, fromS, toS }) => ({
    fault,
    from: fromS / 60,
    to: Math.max(toS, fromS + 0.3) / 60,
  }));
  const panel = (title, values, fields, scale = {}) => ({
    title: { text: title, anchor: 'start', fontSize: 13, fontWeight: 'normal', offset: 6 },
    width: WIDTH,
    height: HEIGHT,
    layer: [
      {
        data: { values: marks },
        mark: { type: 'rect', color: RED, opacity: 0.18 },
        encoding: { x: { field: 'from', type: 'quantitative' }, x2: { field: 'to' } },
      },
      ...fields.map(([field, color, name]) => ({
        data: { values: inMinutes(values) },
        mark: { type: 'line', color, strokeWidth: 1.5, interpolate: 'linear' },
        encoding: {
          x: {
            field: 'minute',
            type: 'quantitative',
            title: null,
            scale: { domain: [0, minutes], nice: false },
            axis: { grid: false, labelExpr: "datum.label + ' min'" },
          },
          y: { field, type: 'quantitative', title: name, scale },
        },
      })),
    ],
  });
  return {
    title: {
      text: 'Duework under faults',
      subtitle: `${perSecond} jobs per second, ${workers} workers, ${faults.length} faults (marked) in ${minutes} minutes; seed ${seed}.`,
      anchor: 'start',
      fontSize: 16,
      subtitleFontSize: 12,
      offset: 16,
    },
    vconcat: [
      panel('Jobs ended per second', timeline, [['endedPerSecond', BLUE, null]]),
      panel(
        'From enqueued to started: p50 (blue) and p99 (orange), ms, logarithmic',
        timeline,
        [
          ['p99', ORANGE, null],
          ['p50', BLUE, null],
        ],
        { type: 'log', nice: false },
      ),
      panel('Largest worker, MB (blue); table of live runs with its indexes, MB (orange)', gauges, [
        ['rssMb', BLUE, null],
        ['liveMb', ORANGE, null],
      ]),
    ],
    config: {
      font: 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif',
      view: { stroke: null },
      background: null,
      padding: 10,
    },
  };
}

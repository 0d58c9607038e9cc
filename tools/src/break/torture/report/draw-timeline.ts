import { importRival } from '../../../measure/bench/rivals/import-rival.js';
import { installRivals } from '../../../measure/bench/rivals/install-rivals.js';
import type { Summary } from './summarise.js';

const WIDTH = 760;
const HEIGHT = 110;
/** The width of a character as a share of its height, about. */
const LETTER = 0.57;
const FONT_SIZE = 12;
const [BLUE, ORANGE, RED] = ['#2f81f7', '#d4761e', '#cf222e'];
/** The text's colours follow the reader's theme, and the background is transparent. */
const STYLE = '<style>text{fill:#1f2328}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>';

/** What the drawing uses of vega 6 and vega-lite 6. */
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

/** A run as an SVG: what ended each second, how long runs waited, and memory, over time, with the faults marked. */
export async function drawTimeline(summary: Summary): Promise<string> {
  await installRivals([], { isChartWanted: true });
  const { parse, textMetrics, View } = await importRival<Vega>('vega');
  // without a canvas vega takes every letter for a wide one, and leaves room for it
  textMetrics.width = (item, text) => String(text ?? item.text).length * (item.fontSize ?? FONT_SIZE) * LETTER;
  const { compile } = await importRival<VegaLite>('vega-lite');
  const svg = await new View(parse(compile(describe(summary)).spec), { renderer: 'none' }).toSVG();
  return svg.replace('>', `>${STYLE}`);
}

/** One panel: lines over time. */
interface Panel {
  readonly title: string;
  readonly values: readonly { readonly s: number }[];
  /** The field and the colour of each line. */
  readonly lines: readonly (readonly [field: string, colour: string | undefined])[];
  readonly scale?: object;
}

function describe({ timeline, gauges, faults, minutes, perSecond, workers, seed }: Summary): object {
  const inMinutes = (list: Panel['values']): object[] => list.map(({ s, ...rest }) => ({ minute: s / 60, ...rest }));
  const marks = faults.map(({ fault, fromS, toS }) => ({
    fault,
    from: fromS / 60,
    to: Math.max(toS, fromS + 0.3) / 60,
  }));
  const panel = ({ title, values, lines, scale = {} }: Panel): object => ({
    title: { text: title, anchor: 'start', fontSize: 13, fontWeight: 'normal', offset: 6 },
    width: WIDTH,
    height: HEIGHT,
    layer: [
      {
        data: { values: marks },
        mark: { type: 'rect', color: RED, opacity: 0.18 },
        encoding: { x: { field: 'from', type: 'quantitative' }, x2: { field: 'to' } },
      },
      ...lines.map(([field, color]) => ({
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
          y: { field, type: 'quantitative', title: null, scale },
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
      panel({ title: 'Jobs ended per second', values: timeline, lines: [['endedPerSecond', BLUE]] }),
      panel({
        title: 'From enqueued to started: p50 (blue) and p99 (orange), ms, logarithmic',
        values: timeline,
        lines: [
          ['p99', ORANGE],
          ['p50', BLUE],
        ],
        scale: { type: 'log', nice: false },
      }),
      panel({
        title: 'Largest worker, MB (blue); table of live runs with its indexes, MB (orange)',
        values: gauges,
        lines: [
          ['rssMb', BLUE],
          ['liveMb', ORANGE],
        ],
      }),
    ],
    config: {
      font: 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif',
      view: { stroke: null },
      background: null,
      padding: 10,
    },
  };
}

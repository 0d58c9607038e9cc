import { renderSvg } from '../../../measure/bench/rivals/render-svg.js';
import type { Summary } from './summarise.js';

const WIDTH = 760;
const HEIGHT = 110;
const [BLUE, ORANGE, RED] = ['#2f81f7', '#d4761e', '#cf222e'];

/** One panel: lines over time. */
interface Panel {
  readonly title: string;
  readonly values: readonly { readonly s: number }[];
  /** The field and the colour of each line. */
  readonly lines: readonly (readonly [field: string, colour: string | undefined])[];
  readonly scale?: object;
}

/** A run as an SVG: what ended each second, how long runs waited, and memory, over time, with the faults marked. */
export function drawTimeline(summary: Summary): Promise<string> {
  const { timeline, gauges, faults, minutes, perSecond, workers, seed } = summary;
  const subtitle = `${perSecond} jobs per second, ${workers} workers, ${faults.length} faults (marked) in ${minutes} minutes; seed ${seed}.`;
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
  return renderSvg('Duework under faults', subtitle, {
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
  });
}

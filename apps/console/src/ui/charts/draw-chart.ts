import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatCompact } from '../../time/format-count.js';
import { formatScale } from '../../time/format-scale.js';
import type { ChartLine } from './chart-line.js';

export interface DrawChartOptions {
  readonly at: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly unit: 'count' | 'duration';
  readonly printAt: (seconds: number) => string;
  /** Told of the step below the pointer, in this chart or in another one of the page. */
  readonly onPoint: (index: number | null) => void;
}

export interface DrawnChart {
  readonly show: (at: readonly number[], lines: readonly ChartLine[]) => void;
  readonly remove: () => void;
}

/** Steps of an axis: round numbers, and round durations in milliseconds. */
const COUNTS = [1, 2, 5]
  .flatMap((n) => Array.from({ length: 12 }, (_, power) => n * 10 ** power))
  .toSorted((a, b) => a - b);
const SECOND = 1_000;
const DURATIONS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 20, 50].map((n) => n * 86_400 * SECOND),
];

/** Draws a chart in `place`, as wide as that is; all charts of a page have one cursor. */
export function drawChart(place: HTMLElement, options: DrawChartOptions): DrawnChart {
  const { lines, unit, printAt, onPoint } = options;
  const style = getComputedStyle(place);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${style.fontFamily}`;
  const axis: uPlot.Axis = {
    stroke: colour('faint'),
    font,
    ticks: { show: false },
    grid: { stroke: colour('line'), width: 1 },
  };
  const chart = new uPlot(
    {
      width: Math.max(1, place.clientWidth),
      height: place.clientHeight,
      padding: [6, 14, 0, 0],
      legend: { show: false },
      cursor: {
        sync: { key: 'figures', setSeries: false },
        y: false,
        drag: { x: false, y: false },
        points: { size: 6 },
      },
      scales: {
        // a bar begins at its moment, and the newest one is to be seen whole
        x: { time: true, range: ({ data: [at] }, min, max) => [min, max + ((at[1] ?? 0) - (at[0] ?? 0))] },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
      },
      axes: [
        {
          ...axis,
          size: 22,
          gap: 3,
          space: 64,
          grid: { show: false },
          values: (_, splits) => splits.map((split) => printAt(split)),
        },
        {
          ...axis,
          size: 42,
          gap: 4,
          space: 28,
          incrs: unit === 'count' ? COUNTS : DURATIONS,
          values: (_, splits) =>
            unit === 'duration'
              ? formatScale(splits)
              : splits.map((split) => (split === 0 ? '0' : formatCompact(split))),
        },
      ],
      series: [{}, ...lines.map((line) => drawLine(line, colour))],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    toColumns(options.at, lines),
    place,
  );
  const observer = new ResizeObserver(() =>
    chart.setSize({ width: Math.max(1, place.clientWidth), height: place.clientHeight }),
  );
  observer.observe(place);
  return {
    show: (at, shown) => chart.setData(toColumns(at, shown)),
    remove() {
      observer.disconnect();
      chart.destroy();
    },
  };
}

const toColumns = (at: readonly number[], lines: readonly ChartLine[]): uPlot.AlignedData => [
  [...at],
  ...lines.map(({ values, drawn }) => [...(drawn ?? values)]),
];

function drawLine({ colour: name, look }: ChartLine, colour: (name: string) => string): uPlot.Series {
  const stroke = colour(name);
  const line: uPlot.Series = { stroke, width: 1.5, points: { show: true, size: 3, filter: findAlone } };
  const bars = uPlot.paths.bars!({ size: [0.7, 24], align: 1 });
  switch (look) {
    case 'area':
      return { ...line, fill: colour(`${name}-wash`) };
    case 'dashed':
      return { ...line, dash: [4, 3] };
    case 'bars':
      return { ...line, width: 1, fill: stroke, paths: bars, points: { show: false } };
    case 'outlined bars':
      return { ...line, width: 1, fill: colour(`${name}-wash`), paths: bars, points: { show: false } };
  }
}

/** The values between two that are unknown: a line cannot show them. */
function findAlone({ data }: uPlot, index: number): number[] {
  const values = data[index]!;
  const isKnown = (at: number): boolean => typeof values[at] === 'number';
  return [...values.keys()].filter((at) => isKnown(at) && !isKnown(at - 1) && !isKnown(at + 1));
}

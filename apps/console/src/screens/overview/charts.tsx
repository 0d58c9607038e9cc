import { useMemo } from 'react';
import { useFigures } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatDuration } from '../../time/format-duration.js';
import { Chart } from '../../ui/charts/chart.js';
import type { ChartLine } from '../../ui/charts/chart-line.js';
import { ProblemState } from '../../ui/problem-state.js';
import { makeSeries, type Series } from './make-series.js';
import { RANGES, spanOf, type Range } from './ranges.js';

const words = texts.overview.charts;

interface ChartsProps {
  readonly range: Range;
  readonly queue: string | undefined;
  readonly type: string | undefined;
}

/** What became of the work over a range, of all of it or of one queue and type. */
export function Charts({ range, queue, type }: ChartsProps) {
  const { step, stepMs, steps, everyMs, isWithNow } = RANGES[range];
  // the last steps may still be written, so the first ones lie before the span
  const spanMs = spanOf(range) + (isWithNow ? 0 : 3 * stepMs);
  const { data, error, refetch, isPlaceholderData } = useFigures({ step, group: 'all', queue, type }, spanMs, everyMs);
  const drawn = useMemo(
    () => draw(makeSeries(data?.figures ?? [], { stepMs, steps, isWithNow, now: data?.now ?? Date.now() })),
    [data, stepMs, steps, isWithNow],
  );
  if (error !== null && data === undefined) return <ProblemState error={error} onRetry={() => void refetch()} />;
  return (
    <div
      aria-busy={data === undefined || isPlaceholderData}
      className="grid grid-cols-3 gap-3 aria-busy:opacity-50 max-xl:grid-cols-2 max-md:grid-cols-1"
    >
      {drawn.charts.map(({ title, unit, lines }) => (
        <Chart
          key={title}
          title={title}
          at={drawn.at}
          lines={lines}
          unit={unit}
          print={unit === 'count' ? formatCount : formatDuration}
          isByDay={range === 'quarter'}
        />
      ))}
    </div>
  );
}

interface Drawn {
  readonly at: readonly number[];
  readonly charts: readonly {
    readonly title: string;
    readonly unit: 'count' | 'duration';
    readonly lines: readonly ChartLine[];
  }[];
}

function draw(series: Series): Drawn {
  const { at, succeeded, failed, dead, due, oldestMs, waitP50, waitP95, runP50, runP95 } = series;
  const half = (values: ChartLine['values']): ChartLine => ({
    name: words.p50,
    values,
    colour: 'running',
    look: 'area',
  });
  const most = (values: ChartLine['values']): ChartLine => ({
    name: words.p95,
    values,
    colour: 'queued',
    look: 'dashed',
  });
  return {
    at,
    charts: [
      {
        title: words.succeeded,
        unit: 'count',
        lines: [{ name: words.succeeded, values: succeeded, colour: 'succeeded', look: 'area' }],
      },
      {
        title: words.failures,
        unit: 'count',
        lines: [
          {
            name: words.failed,
            values: failed,
            drawn: failed.map((count, index) => count + dead[index]! || null),
            colour: 'failed',
            look: 'outlined bars',
          },
          { name: words.dead, values: dead, drawn: dead.map((count) => count || null), colour: 'dead', look: 'bars' },
        ],
      },
      { title: words.due, unit: 'count', lines: [{ name: words.due, values: due, colour: 'queued', look: 'area' }] },
      { title: words.wait, unit: 'duration', lines: [half(waitP50), most(waitP95)] },
      { title: words.run, unit: 'duration', lines: [half(runP50), most(runP95)] },
      {
        title: words.oldest,
        unit: 'duration',
        lines: [{ name: words.oldest, values: oldestMs, colour: 'queued', look: 'area' }],
      },
    ],
  };
}

import { useEffect, useRef, useState } from 'react';
import { texts } from '../../texts/texts.js';
import { formatMoment } from '../../time/format-moment.js';
import { useZone } from '../../time/zone-store.js';
import { Button } from '../inputs/button.js';
import type { ChartLine } from './chart-line.js';
import { ChartTable } from './chart-table.js';
import { drawChart, type DrawnChart } from './draw-chart.js';
import { useShownTheme } from '../../theme/use-shown-theme.js';

export interface ChartProps {
  readonly title: string;
  /** Moments in seconds since 1970. */
  readonly at: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly unit: 'count' | 'duration';
  /** How a value is written. */
  readonly print: (value: number) => string;
  /** Steps are days, so that moments are dates. */
  readonly isByDay: boolean;
}

/** A small chart of figures over time, which is a table as well. The values are those below the pointer, or the newest. */
export function Chart({ title, at, lines, unit, print, isByDay }: ChartProps) {
  const [isTable, showTable] = useState(false);
  const [index, point] = useState<number | null>(null);
  const zone = useZone();
  const printAt = (seconds: number): string =>
    formatMoment(new Date(seconds * 1_000), isByDay ? 'utc' : zone).slice(...(isByDay ? [5, 10] : [11, 16]));
  const shown = Math.min(index ?? at.length - 1, at.length - 1);
  const printOr = (value: number | null | undefined, unknown: string): string =>
    typeof value === 'number' ? print(value) : unknown;
  const summary = lines.map(({ name, values }) => `${name} ${printOr(values[shown], texts.charts.unknown)}`).join(', ');
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-surface px-3 pt-2 pb-1.5">
      <figcaption className="flex min-h-7 items-center gap-x-3">
        <h3 className="text-sm font-medium whitespace-nowrap">{title}</h3>
        <span className="text-2xs whitespace-nowrap text-faint" aria-hidden="true">
          {printAt(at[shown] ?? 0)}
        </span>
        <ul className="ml-auto flex min-w-0 gap-x-3 text-xs text-soft" aria-hidden="true">
          {lines.map(({ name, values, colour, look }) => (
            <li key={name} className="flex items-center gap-1.5 whitespace-nowrap">
              <Swatch colour={colour} look={look} />
              {lines.length > 1 && name}
              <span className="font-medium text-ink">{printOr(values[shown], '–')}</span>
            </li>
          ))}
        </ul>
        <Button
          kind="quiet"
          className="-mr-1.5 px-1.5! text-xs! aria-pressed:bg-sunken aria-pressed:text-ink"
          aria-pressed={isTable}
          aria-label={texts.charts.table(title)}
          onClick={() => showTable(!isTable)}
        >
          {texts.charts.asTable}
        </Button>
      </figcaption>
      <div className="h-36">
        {isTable ? (
          <ChartTable title={title} at={at} lines={lines} print={print} printAt={printAt} />
        ) : (
          <Canvas label={`${title}: ${summary}`} {...{ at, lines, unit, printAt }} onPoint={point} />
        )}
      </div>
    </figure>
  );
}

interface CanvasProps extends Pick<ChartProps, 'at' | 'lines' | 'unit'> {
  readonly label: string;
  readonly printAt: (seconds: number) => string;
  readonly onPoint: (index: number | null) => void;
}

function Canvas({ label, at, lines, unit, printAt, onPoint }: CanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | null>(null);
  const theme = useShownTheme();
  const latest = useRef({ at, lines, unit, printAt, onPoint });
  useEffect(() => {
    latest.current = { at, lines, unit, printAt, onPoint };
  });
  const looks = lines.map(({ colour, look }) => colour + look).join();
  useEffect(() => {
    const { at, lines, unit } = latest.current;
    const chart = drawChart(place.current!, {
      at,
      lines,
      unit,
      printAt: (seconds) => latest.current.printAt(seconds),
      onPoint: (index) => latest.current.onPoint(index),
    });
    drawn.current = chart;
    return () => {
      drawn.current = null;
      chart.remove();
    };
  }, [theme, looks, unit]);
  useEffect(() => {
    drawn.current?.show(at, lines);
  }, [at, lines]);
  return <div ref={place} role="img" aria-label={label} className="h-full" />;
}

function Swatch({ colour, look }: Pick<ChartLine, 'colour' | 'look'>) {
  return (
    <svg viewBox="0 0 12 12" width="12" height="12" className={COLOURS[colour]} aria-hidden="true">
      {look === 'bars' && <rect x="3" y="2" width="6" height="8" fill="currentColor" />}
      {look === 'outlined bars' && (
        <rect x="3.5" y="2.5" width="5" height="7" fill="none" stroke="currentColor" strokeWidth="1.5" />
      )}
      {(look === 'area' || look === 'dashed') && (
        <path
          d="M0 6h12"
          stroke="currentColor"
          strokeWidth="2"
          {...(look === 'dashed' ? { strokeDasharray: '3 2' } : {})}
        />
      )}
    </svg>
  );
}

const COLOURS = {
  queued: 'text-queued',
  running: 'text-running',
  succeeded: 'text-succeeded',
  failed: 'text-failed',
  dead: 'text-dead',
} as const;

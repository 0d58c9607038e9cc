import { texts } from '../../texts/texts.js';
import type { ChartLine } from './chart-line.js';

interface ChartTableProps {
  readonly title: string;
  readonly at: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly print: (value: number) => string;
  readonly printAt: (seconds: number) => string;
}

/** What a chart shows as a table, the newest first, in the chart's own place. */
export function ChartTable({ title, at, lines, print, printAt }: ChartTableProps) {
  return (
    <div className="h-full overflow-y-auto" tabIndex={0} role="region" aria-label={title}>
      <table className="w-full text-xs">
        <thead className="sticky top-0 bg-surface text-left text-faint">
          <tr>
            <th scope="col" className="py-0.5 font-medium">
              {texts.charts.at}
            </th>
            {lines.map(({ name }) => (
              <th key={name} scope="col" className="py-0.5 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {at
            .map((seconds, index) => (
              <tr key={seconds} className="border-t border-line/70">
                <th scope="row" className="text-left font-normal text-soft">
                  {printAt(seconds)}
                </th>
                {lines.map(({ name, values: { [index]: value } }) => (
                  <td key={name} className="text-right">
                    {typeof value === 'number' ? print(value) : '–'}
                  </td>
                ))}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </div>
  );
}

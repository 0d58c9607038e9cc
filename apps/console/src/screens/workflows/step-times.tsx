import type { WorkflowStep } from '../../api/workflow-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatDuration } from '../../time/format-duration.js';
import { classNames } from '../../ui/class-names.js';

const words = texts.workflows;
const FEW = 5;
const CELL = 'py-1.5 pr-3 align-top first:pl-4 max-md:first:pl-3';

interface StepTimesProps {
  readonly type: string;
  readonly steps: readonly WorkflowStep[];
}

/** The slowest steps of a type, by the last that have ended. */
export function StepTimes({ type, steps }: StepTimesProps) {
  return (
    <table aria-label={words.steps(type)} className="w-full table-fixed border-collapse">
      <thead>
        <tr className="text-left text-xs text-faint">
          <th scope="col" className={classNames(CELL, 'font-medium')}>
            {words.column.slowest}
          </th>
          <th scope="col" title={words.medianWords} className={classNames(CELL, 'w-24 text-right font-medium')}>
            {words.column.median}
          </th>
          <th scope="col" title={words.p95Words} className={classNames(CELL, 'w-24 text-right font-medium')}>
            {words.column.p95}
          </th>
        </tr>
      </thead>
      <tbody>
        {steps.slice(0, FEW).map(({ step, kind, times, medianMs, p95Ms, failed }) => (
          <tr key={`${kind} ${step}`} className="border-t border-line/70">
            <th
              scope="row"
              title={words.measured(formatCount(times))}
              className={classNames(CELL, 'text-left font-mono text-xs font-normal break-words')}
            >
              {step}
              {failed > 0 && <span className="ml-2 font-sans text-dead">{words.failed(formatCount(failed))}</span>}
            </th>
            <td className={classNames(CELL, 'text-right whitespace-nowrap')}>{formatDuration(medianMs)}</td>
            <td className={classNames(CELL, 'text-right whitespace-nowrap')}>{formatDuration(p95Ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import type { Step } from '../../api/use-steps.js';
import { texts } from '../../texts/texts.js';
import { formatDuration } from '../../time/format-duration.js';
import { useNow } from '../../time/use-now.js';
import { classNames } from '../../ui/class-names.js';
import { StatusBadge, type Status } from '../../ui/marks/status-badge.js';
import { tookOf, type StepPair } from './compare-steps.js';
import { PairTable } from './pair-table.js';

const words = texts.compare;
const LOOKS: Readonly<Record<Step['status'], Status>> = { waiting: 'waiting', done: 'succeeded', failed: 'dead' };

/** Steps of two jobs side by side, each with how it ended and how long it took. */
export function StepPairs({ pairs, isAll }: { readonly pairs: readonly StepPair[]; readonly isAll: boolean }) {
  const shown = isAll ? pairs : pairs.filter(({ differs, times }) => differs || times !== null);
  return (
    <PairTable title={words.steps} name={words.step} shown={shown.length} all={pairs.length}>
      {shown.map(({ name, one, other, differs, times }) => (
        <tr key={name} className={classNames('border-t border-line/70', differs && isAll && 'bg-failed-wash')}>
          <th scope="row" className="px-3 py-1.5 text-left align-top font-mono text-xs font-normal break-words">
            {name}
          </th>
          <td className="px-3 py-1.5 align-top break-words">
            <StepCell step={one} />
            {times !== null && (
              <span className="ml-2 text-xs font-medium text-failed">
                {words.slower(times.toFixed(times < 10 ? 1 : 0))}
              </span>
            )}
          </td>
          <td className="px-3 py-1.5 align-top break-words">
            <StepCell step={other} />
          </td>
        </tr>
      ))}
    </PairTable>
  );
}

function StepCell({ step }: { readonly step: Step | null }) {
  const now = useNow();
  if (step === null) return <span className="text-faint">{words.notReached}</span>;
  const took = tookOf(step);
  return (
    <>
      <StatusBadge status={LOOKS[step.status]} words={texts.job.steps.statuses[step.status]} />{' '}
      <span className="text-soft">
        {took === null
          ? words.waits(formatDuration(Math.max(0, now - Date.parse(step.beganAt))))
          : formatDuration(took)}
      </span>
      {step.error !== null && (
        <span className="block text-dead">
          <code className="font-mono text-xs">{step.error.code}</code> {step.error.message}
        </span>
      )}
    </>
  );
}

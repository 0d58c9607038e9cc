import type { FailureList } from '../../api/failure-queries.js';
import { texts } from '../../texts/texts.js';
import { formatMoment } from '../../time/format-moment.js';
import { useZone } from '../../time/zone-store.js';
import { stepAt } from './step-cells.js';

const DAY_SECONDS = 86_400;

/** The moments at both ends and in the middle of the steps. */
export function StepHeader({ data }: { readonly data: FailureList }) {
  const zone = useZone();
  const steps = Math.round((Date.parse(data.until) - Date.parse(data.since)) / 1_000 / data.stepSeconds);
  const isLong = data.stepSeconds * steps > DAY_SECONDS;
  const print = (step: number): string => {
    const moment = formatMoment(new Date(stepAt(data, step)), zone);
    return isLong ? moment.slice(5, 10) : moment.slice(11, 16);
  };
  return (
    <span className="flex justify-between font-normal tabular-nums" aria-label={texts.failures.column.when}>
      <span>{print(0)}</span>
      <span>{print(Math.floor(steps / 2))}</span>
      <span>{texts.failures.now}</span>
    </span>
  );
}

import { Link } from '@tanstack/react-router';
import type { Step } from '../../../api/use-steps.js';
import { JsonText } from '../../../json/json-text.js';
import { texts } from '../../../texts/texts.js';
import { Button } from '../../../ui/inputs/button.js';
import { useZone } from '../../../time/zone-store.js';
import { ChevronIcon } from '../../../ui/icons.js';
import { Age } from '../../../ui/marks/moment.js';
import { StatusBadge, type Status } from '../../../ui/marks/status-badge.js';
import { localTimes } from '../explanation.js';

const words = texts.job.steps;
const LOOKS: Readonly<Record<Step['status'], Status>> = { waiting: 'waiting', done: 'succeeded', failed: 'dead' };
const LAYOUT = 'flex flex-wrap items-center gap-x-2.5 gap-y-0.5 px-3 py-1.5';

interface StepRowProps {
  readonly step: Step;
  readonly isIndented: boolean;
  /** Asks whether the job shall be retried from this step; null: it cannot be. */
  readonly onRetry: (() => void) | null;
}

/** A step: what it waits for or how it has ended, and behind its line what it has returned. */
export function StepRow({ step, isIndented, onRetry }: StepRowProps) {
  const { name, result, isLong } = step;
  const retry = onRetry !== null && (
    <Button kind="quiet" onClick={onRetry} aria-label={words.retryFromLabel(name)}>
      {words.retryFrom}
    </Button>
  );
  if (result === undefined || result === null)
    return (
      <li className={LAYOUT}>
        {isIndented && <span className="w-4 shrink-0 max-md:hidden" />}
        <Line step={step} />
        {isLong && <span className="text-xs text-faint">{words.long}</span>}
        {retry}
      </li>
    );
  return (
    <li>
      <details className="group">
        <summary className={`${LAYOUT} list-none hover:bg-sunken [&::-webkit-details-marker]:hidden`}>
          <ChevronIcon className="shrink-0 text-faint transition-transform group-open:rotate-90" />
          <Line step={step} />
        </summary>
        <div className="px-3 pb-2">
          <JsonText json={JSON.stringify(result)} label={words.result(name)} />
          {retry}
        </div>
      </details>
    </li>
  );
}

function Line({ step: { name, status, kind, sentence, of, doneAt, error } }: { readonly step: Step }) {
  return (
    <>
      <StatusBadge status={LOOKS[status]} words={words.statuses[status]} />
      <code className="font-mono text-xs font-medium break-all">{name}</code>
      {(kind !== 'work' || error !== null) && (
        <span className="min-w-0 flex-1 basis-64 break-words text-soft">
          <Sentence text={sentence} jobId={kind === 'signal' ? null : of} />
        </span>
      )}
      {doneAt !== null && (
        <span className="ml-auto text-xs whitespace-nowrap text-faint">
          <Age at={doneAt} />
        </span>
      )}
    </>
  );
}

/** A sentence of the API, with a link to the job that it names. */
function Sentence({ text, jobId }: { readonly text: string; readonly jobId: string | null }) {
  const zone = useZone();
  const link = jobId === null ? null : `job ${jobId}`;
  const at = link === null ? -1 : text.indexOf(link);
  if (link === null || jobId === null || at < 0) return localTimes(text, zone);
  return (
    <>
      {text.slice(0, at)}
      <Link to="/jobs/$id" params={{ id: jobId }} className="linked">
        {link}
      </Link>
      {localTimes(text.slice(at + link.length), zone)}
    </>
  );
}

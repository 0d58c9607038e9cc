import type { Schemas } from '../../api/api-types.js';
import { readTraceId } from '../../links/fill-link.js';
import { OwnLinks } from '../../links/own-links.js';
import { useMay } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { formatDuration } from '../../time/format-duration.js';
import { ChevronIcon } from '../../ui/icons.js';
import { CopyButton } from '../../ui/copy-button.js';
import { errorName } from '../../ui/error-name.js';
import { Age } from '../../ui/marks/moment.js';
import { numberRounds } from './number-rounds.js';
import type { JobDetail } from './use-job.js';

/** The attempts that are on record, the last first, each with its error, stack and logs. */
export function Attempts({ job }: { readonly job: JobDetail }) {
  const attempts = job.attemptHistory;
  if (attempts.length === 0) return <p className="text-soft">{texts.job.noAttempts}</p>;
  const rounds = numberRounds(job);
  const roundOf = new Map(attempts.map((attempt, nr) => [attempt, rounds.now === 1 ? null : rounds.past[nr]!]));
  return (
    <div className="overflow-hidden rounded-md border border-line">
      {attempts.toReversed().map((attempt, index) => (
        <Attempt
          key={attempt.fence}
          attempt={attempt}
          round={roundOf.get(attempt) ?? null}
          job={job}
          isOpen={index === 0}
        />
      ))}
    </div>
  );
}

interface AttemptProps {
  readonly attempt: Schemas['JobAttempt'];
  /** null: there is one. */
  readonly round: number | null;
  readonly job: JobDetail;
  readonly isOpen: boolean;
}

function Attempt({ attempt, round, job: { id, type, queue, meta }, isOpen }: AttemptProps) {
  const traceId = readTraceId(meta?.['traceparent']);
  const mayRead = useMay('payloads');
  const code = errorName(attempt.errorCode, attempt.errorType);
  const took = formatDuration(Date.parse(attempt.finishedAt) - Date.parse(attempt.claimedAt));
  // a stack begins with its message
  const isInStack = attempt.errorMessage !== null && attempt.errorStack?.includes(attempt.errorMessage) === true;
  return (
    <details open={isOpen} className="group border-b border-line last:border-0">
      <summary className="flex list-none items-center gap-2.5 bg-surface px-3 py-2 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ChevronIcon className="shrink-0 text-faint transition-transform group-open:rotate-90" />
        <span className="font-medium whitespace-nowrap">{texts.job.attempt(attempt.attempt, round)}</span>
        <span className="min-w-0 flex-1 truncate text-soft">
          {code !== null && <code className="mr-1.5 font-mono text-xs font-medium text-dead">{code}</code>}
          {attempt.errorMessage ?? texts.job.lifeWords.outcomes[attempt.outcome]}
        </span>
        <span className="text-xs whitespace-nowrap text-faint max-md:hidden">
          {took} · <Age at={attempt.finishedAt} />
        </span>
      </summary>
      <div className="border-t border-line bg-sunken px-3 py-2.5">
        <div className="mb-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-soft">
          <p>
            {texts.job.lifeWords.outcomes[attempt.outcome]} · {texts.job.took(took)} ·{' '}
            <span className="font-mono">{attempt.worker}</span>
            {attempt.abortCode !== null && ` · ${attempt.abortCode} (${attempt.abortStage ?? ''})`}
          </p>
          <OwnLinks where="attempt" values={{ id, type, queue, traceId, workerId: attempt.worker }} />
          {attempt.errorStack !== null && (
            <span className="ml-auto">
              <CopyButton text={attempt.errorStack} label={`${texts.copy.copy}: ${texts.job.stack}`} />
            </span>
          )}
        </div>
        {code !== null && attempt.errorMessage === null && attempt.errorStack === null && !mayRead && (
          <p className="text-soft">{texts.failures.textHidden}</p>
        )}
        {attempt.errorMessage !== null && !isInStack && <p className="mb-1.5 break-words">{attempt.errorMessage}</p>}
        {attempt.errorStack !== null && (
          <pre
            tabIndex={0}
            aria-label={texts.job.stack}
            className="max-h-72 overflow-auto font-mono text-xs leading-5 text-soft"
          >
            {attempt.errorStack}
          </pre>
        )}
        {attempt.logs !== null && (
          <>
            <p className="mt-2 mb-1 text-xs font-medium text-soft">{texts.job.logs}</p>
            <pre
              tabIndex={0}
              aria-label={texts.job.logs}
              className="max-h-72 overflow-auto font-mono text-xs leading-5 text-soft"
            >
              {attempt.logs}
            </pre>
          </>
        )}
      </div>
    </details>
  );
}

import { useParams, useRouter } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../api/api-error.js';
import { OpenWaits } from './waits/open-waits.js';
import { useSteps } from '../../api/use-steps.js';
import { apiUrl } from '../../base-path.js';
import { BulkProgress } from '../../bulk/bulk-progress.js';
import { useFollowedAction } from '../../bulk/followed-action.js';
import { JsonText } from '../../json/json-text.js';
import { useIsDone } from '../../session/use-refusal.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { useNow } from '../../time/use-now.js';
import { CopyButton } from '../../ui/copy-button.js';
import { LiveMark } from '../../ui/marks/live-mark.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { Progress, readProgress } from '../../ui/marks/progress.js';
import { JobStatus } from '../../ui/marks/job-status.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { Attempts } from './attempts.js';
import { Effects } from './effects.js';
import { Explanation } from './explanation.js';
import { Facts } from './facts.js';
import { findBytesApart } from './find-bytes-apart.js';
import { LifeList } from './life-list.js';
import { LifeStrip } from './life-strip.js';
import { listEvents, type Waits } from './list-events.js';
import { makeLife } from './make-life.js';
import { printCurl, printTypeScript } from './print-enqueue.js';
import { Parent, Steps } from './steps/steps.js';
import { StoredValue } from './stored-value.js';
import { useDeeds } from './use-deeds.js';
import { isOver, useExplanation, useJob, type ReadJob } from './use-job.js';
import { Verbs } from './verbs.js';

const words = texts.job;

/** One job: where it is and why, its life, what failed, what it is made of, and what may be done. */
export function JobScreen() {
  const { id } = useParams({ from: '/jobs/$id' });
  const { history } = useRouter();
  const { data, error, refetch, isLive } = useJob(id);
  usePageTitle(words.title(id));
  useShortcuts([{ keys: 'u', words: texts.keys.back, group: 'here', run: () => history.back() }]);
  if (data !== undefined) return <Shown {...data} isLive={isLive} />;
  if (error instanceof ApiError && /^(job_not_found|invalid_job_id)$/.test(error.code))
    return (
      <StateBox title={words.gone}>
        <p>{words.goneHint}</p>
      </StateBox>
    );
  return error !== null && <ProblemState error={error} onRetry={() => void refetch()} />;
}

function Shown({ job, raw, isLive }: ReadJob & { readonly isLive: boolean }) {
  const payload = raw.get('payload');
  const [hasBegun, setBegun] = useState(false);
  const action = useFollowedAction();
  const { data: explained } = useExplanation(job.id, !isOver(job));
  const isExplained = useIsDone('explainJob');
  const steps = useSteps(job.id, !isOver(job));
  const { isSuspended } = job;
  const hasWaited = steps.steps.some(({ kind }) => kind !== 'work');
  const isProgressKnown = job.progress !== undefined && job.progress !== null;
  return (
    <div className="mx-auto max-w-6xl px-6 py-5 max-md:px-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <JobStatus job={job} isLarge />
        <h1 className="flex min-w-0 items-baseline gap-2.5 text-lg font-semibold tracking-tight">
          <span className="truncate">{job.type}</span>
          <span className="font-mono text-sm font-normal text-soft">{job.id}</span>
        </h1>
        <CopyButton text={job.id} label={`${texts.copy.copy}: ${words.title(job.id)}`} />
        {isLive && <LiveMark />}
        <div className="ml-auto">
          <Verbs job={job} payload={payload} onBegun={() => setBegun(true)} />
        </div>
      </header>
      {hasBegun && action !== null && (
        <div className="mt-3 rounded-md border border-line bg-sunken px-3 py-1.5">
          <BulkProgress key={action} id={action} />
        </div>
      )}
      <div className="mt-3">
        {isExplained && <Explanation data={explained} />}
        <Parent id={steps.parent} />
      </div>
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)_19rem] gap-x-8 max-lg:grid-cols-1">
        <div className="min-w-0">
          <Life job={job} isSuspended={isSuspended} hasWaited={hasWaited} />
          {isProgressKnown && (
            <Part title={words.progress}>
              <Progress value={job.progress} />
              {readProgress(job.progress) === null && <JsonText json={raw.get('progress')!} label={words.progress} />}
            </Part>
          )}
          {!isOver(job) && <OpenWaits id={job.id} steps={steps.steps} />}
          <Steps page={steps} job={job} />
          <Effects job={job} />
          <Part title={words.attempts}>
            <Attempts job={job} />
          </Part>
          <Part
            title={words.payload}
            actions={
              payload !== undefined &&
              findBytesApart(payload) === null && (
                <>
                  <CopyButton text={printCurl(apiUrl, job.type, payload)} label={words.copyCurl}>
                    curl
                  </CopyButton>
                  <CopyButton text={printTypeScript(job.type, payload)} label={words.copyTypeScript}>
                    TypeScript
                  </CopyButton>
                </>
              )
            }
          >
            {payload === undefined ? (
              <p className="text-soft">{words.withheld}</p>
            ) : (
              <StoredValue id={job.id} part="payload" json={payload} />
            )}
          </Part>
          {job.result !== undefined && job.result !== null && (
            <Part title={words.result}>
              <StoredValue id={job.id} part="result" json={raw.get('result')!} />
            </Part>
          )}
          {job.meta !== null && (
            <Part title={words.meta}>
              <JsonText json={raw.get('meta')!} label={words.meta} />
            </Part>
          )}
        </div>
        <aside className="max-lg:mt-6">
          <h2 className="mb-2 text-xs font-medium text-faint">{words.facts}</h2>
          <Facts job={job} isSuspended={isSuspended} />
        </aside>
      </div>
    </div>
  );
}

interface LifeProps extends Waits {
  readonly job: ReadJob['job'];
}

function Life({ job, ...waits }: LifeProps) {
  const now = useNow();
  const deeds = useDeeds(job.id, `${job.status} ${job.fence} ${job.acknowledgedAt ?? ''}`);
  return (
    <section aria-label={words.life}>
      <LifeStrip life={makeLife(job, now, waits.isSuspended)} isDead={job.status === 'dead'} />
      <LifeList events={listEvents(job, waits, deeds)} />
    </section>
  );
}

interface PartProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

function Part({ title, actions, children }: PartProps) {
  return (
    <section className="mt-6">
      <div className="mb-1.5 flex min-h-7 flex-wrap items-center gap-1">
        <h2 className="mr-auto text-sm font-semibold">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

import { Link, useParams, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.js';
import { useSchedule, type Schedule } from '../../api/use-schedules.js';
import { JsonText } from '../../json/json-text.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { useNow } from '../../time/use-now.js';
import { Moment } from '../../ui/marks/moment.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { Ledger } from './ledger.js';
import { NextDueTimes } from './next-due-times.js';
import { ScheduleFacts } from './schedule-facts.js';
import { ScheduleState, stateOf } from './schedule-state.js';
import { ScheduleVerbs } from './schedule-verbs.js';

const words = texts.schedules;

/** One schedule: its rule in words, what comes, what became of what has come, and what may be done. */
export function ScheduleScreen() {
  const { key } = useParams({ from: '/schedules/$key' });
  const { history } = useRouter();
  const { data, error, refetch } = useSchedule(key);
  usePageTitle(`${key} · ${words.title}`);
  useShortcuts([{ keys: 'u', words: texts.keys.back, group: 'here', run: () => history.back() }]);
  if (error instanceof ApiError && error.code === 'schedule_not_found')
    return (
      <StateBox title={words.gone}>
        <p>{words.goneHint}</p>
        <Link to="/schedules" search={{ paused: undefined, cursor: undefined }} className="mt-2 inline-block underline">
          {words.all}
        </Link>
      </StateBox>
    );
  if (data !== undefined) return <Shown schedule={data.schedule} payload={data.payload} />;
  return error !== null && <ProblemState error={error} onRetry={() => void refetch()} />;
}

function Shown({ schedule, payload }: { readonly schedule: Schedule; readonly payload: string | undefined }) {
  const now = useNow();
  const state = stateOf(schedule, now);
  return (
    <div className="mx-auto max-w-6xl px-6 py-5 max-md:px-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <ScheduleState state={state} isLarge />
        <h1 className="min-w-0 text-lg font-semibold tracking-tight break-all">{schedule.key}</h1>
        <div className="ml-auto">
          <ScheduleVerbs schedule={schedule} payload={payload} />
        </div>
      </header>
      <div className="mt-3 max-w-4xl text-[0.9375rem] leading-6">
        <p>
          {schedule.words}
          {schedule.cron !== null && <code className="ml-2.5 font-mono text-xs text-faint">{schedule.cron}</code>}
        </p>
        <p className="text-sm text-soft">{schedule.policy}</p>
        {schedule.pause !== null && <Pause pause={schedule.pause} />}
        {state === 'late' && <Callout tone="dead">{words.stateWords.late}</Callout>}
      </div>
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)_19rem] gap-x-8 max-lg:grid-cols-1">
        <div className="min-w-0">
          <Ledger schedule={schedule} />
          <NextDueTimes schedule={schedule} />
          <section className="mt-6">
            <h2 className="mb-1.5 text-sm font-semibold">{words.payload}</h2>
            {payload === undefined ? (
              <p className="text-soft">{texts.job.withheld}</p>
            ) : (
              <>
                <JsonText json={payload} label={words.payload} />
                {payload.includes('"$due"') && <p className="mt-1.5 text-xs text-faint">{words.payloadHint}</p>}
              </>
            )}
          </section>
        </div>
        <aside className="max-lg:mt-6">
          <h2 className="mb-2 text-xs font-medium text-faint">{words.facts}</h2>
          <ScheduleFacts schedule={schedule} />
          {schedule.source === 'code' && <p className="mt-3 text-xs text-faint">{words.declared}</p>}
        </aside>
      </div>
    </div>
  );
}

function Pause({ pause }: { readonly pause: NonNullable<Schedule['pause']> }) {
  return (
    <Callout tone="failed">
      {words.pausedBy(pause.by ?? words.somebody)} {words.pausedSince} <Moment at={pause.since} />,{' '}
      {pause.until === null ? (
        words.pausedUntilResumed
      ) : (
        <>
          {words.pausedUntil} <Moment at={pause.until} />
        </>
      )}
      {pause.reason !== null && `: ${pause.reason}`}
    </Callout>
  );
}

function Callout({ tone, children }: { readonly tone: 'failed' | 'dead'; readonly children: ReactNode }) {
  const look = tone === 'failed' ? 'bg-failed-wash text-failed' : 'bg-dead-wash text-dead';
  return <p className={`mt-2 rounded-md px-3 py-1.5 text-sm ${look}`}>{children}</p>;
}

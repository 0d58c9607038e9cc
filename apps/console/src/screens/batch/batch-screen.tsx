import { useParams, useRouter } from '@tanstack/react-router';
import { ApiError } from '../../api/api-error.js';
import { useBatch, type Batch } from '../../api/batch-queries.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { CopyButton } from '../../ui/copy-button.js';
import { FilterLink } from '../../ui/filter-link.js';
import { Moment } from '../../ui/marks/moment.js';
import { StatusBadge } from '../../ui/marks/status-badge.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { BatchFailures } from './batch-failures.js';
import { BatchFollows } from './batch-follows.js';
import { BatchProgress } from './batch-progress.js';
import { BatchVerbs } from './batch-verbs.js';

const words = texts.batch;
const ENDS = ['open', 'succeeded', 'dead', 'cancelled'] as const;
const LOOKS = { open: 'text-running', succeeded: 'text-succeeded', dead: 'text-dead', cancelled: 'text-soft' } as const;

/** One batch: how far it is, what failed of it, what follows, and what may be done. */
export function BatchScreen() {
  const { id } = useParams({ from: '/batches/$id' });
  const { history } = useRouter();
  const { data, error, refetch } = useBatch(id);
  usePageTitle(data?.name ?? words.title);
  useShortcuts([{ keys: 'u', words: texts.keys.back, group: 'here', run: () => history.back() }]);
  if (data !== undefined) return <Shown batch={data} />;
  if (error instanceof ApiError && error.code === 'batch_not_found')
    return (
      <StateBox title={words.goneTitle}>
        <p>{words.goneHint}</p>
      </StateBox>
    );
  return error !== null && <ProblemState error={error} onRetry={() => void refetch()} />;
}

function Shown({ batch }: { readonly batch: Batch }) {
  const { id, name, createdAt, settledAt } = batch;
  const counts = ENDS.filter((end) => batch[end] > 0);
  return (
    <div className="mx-auto max-w-6xl px-6 py-5 max-md:px-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <State batch={batch} />
        <h1 className="min-w-0 text-lg font-semibold tracking-tight break-words">{name ?? words.title}</h1>
        <span className="min-w-0 truncate font-mono text-xs text-soft">{id}</span>
        <CopyButton text={id} label={`${texts.copy.copy}: ${words.title}`} />
        <div className="ml-auto">
          <BatchVerbs batch={batch} />
        </div>
      </header>
      <section aria-label={words.ended} className="mt-4">
        <BatchProgress batch={batch} />
        <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {counts.map((end) => (
            <FilterLink
              key={end}
              fields={{ batch: id, status: end === 'open' ? 'queued,running,failed' : end }}
              className={LOOKS[end]}
            >
              {words[end](formatCount(batch[end]))}
            </FilterLink>
          ))}
          <FilterLink fields={{ batch: id }} className="ml-auto">
            {words.jobs}
          </FilterLink>
        </p>
      </section>
      <dl className="mt-4 grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1.5 text-sm">
        <dt className="text-faint">{words.created}</dt>
        <dd>
          <Moment at={createdAt} />
        </dd>
        {settledAt !== null && (
          <>
            <dt className="text-faint">{words.settled}</dt>
            <dd>
              <Moment at={settledAt} />
            </dd>
          </>
        )}
      </dl>
      <BatchFollows batch={batch} />
      <BatchFailures batch={batch} />
    </div>
  );
}

function State({ batch: { open, dead, jobs, succeeded } }: { readonly batch: Batch }) {
  if (open > 0) return <StatusBadge status="running" isLarge words={words.states.open} />;
  if (dead > 0) return <StatusBadge status="dead" isLarge words={words.states.dead} />;
  if (succeeded === jobs) return <StatusBadge status="succeeded" isLarge words={words.states.succeeded} />;
  return <StatusBadge status="cancelled" isLarge words={words.states.settled} />;
}

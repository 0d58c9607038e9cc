import { useNavigate, useSearch } from '@tanstack/react-router';
import { RANGES, useFailures, type FailureList, type Range } from '../../api/failure-queries.js';
import { BulkPanel } from '../../bulk/bulk-panel.js';
import { BulkProgress } from '../../bulk/bulk-progress.js';
import { useFollowedAction } from '../../bulk/followed-action.js';
import { texts } from '../../texts/texts.js';
import { CloseIcon } from '../../ui/icons.js';
import { OptionRow } from '../../ui/inputs/option-row.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { FailureTable } from './failure-table.js';

const words = texts.failures;

/** Why jobs failed lately: by error and type, with when. */
export function FailuresScreen() {
  const { range: asked, type } = useSearch({ from: '/failures' });
  const range: Range = asked ?? '24h';
  const navigate = useNavigate({ from: '/failures' });
  const { data, error, refetch, isPlaceholderData } = useFailures(range, type);
  const followed = useFollowedAction();
  usePageTitle(words.title);
  const goTo = (next: { range: Range; type: string | undefined }): void =>
    void navigate({ search: { range: next.range === '24h' ? undefined : next.range, type: next.type } });
  return (
    <div>
      <div className="sticky top-0 z-10 border-b border-line bg-canvas px-5 pt-3 pb-2 max-md:top-12 max-md:px-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-lg font-semibold tracking-tight">{words.title}</h1>
          <OptionRow
            label={words.range}
            value={range}
            options={RANGES.map((id) => ({ id, content: words.ranges[id] }))}
            onChange={(one) => goTo({ range: one, type })}
          />
          {type !== undefined && (
            <button
              type="button"
              title={words.everyType}
              onClick={() => goTo({ range, type: undefined })}
              className="flex h-7 items-center gap-1 rounded-md border border-line bg-surface pr-1 pl-2 text-sm hover:border-line-strong pointer-coarse:h-10"
            >
              {type}
              <span className="sr-only"> {words.everyType}</span>
              <CloseIcon className="text-faint" />
            </button>
          )}
        </div>
        <div className="mt-1 flex min-h-7 items-center pointer-coarse:min-h-10">
          {followed === null ? (
            <>
              {data !== undefined && <Summary data={data} />}
              <div className="ml-auto">
                <BulkPanel />
              </div>
            </>
          ) : (
            <BulkProgress key={followed} id={followed} />
          )}
        </div>
      </div>
      {data === undefined ? (
        error !== null && <ProblemState error={error} onRetry={() => void refetch()} />
      ) : data.groups.length === 0 ? (
        <StateBox title={words.emptyTitle}>
          <p>{words.empty(words.ranges[range])}</p>
          <p className="mt-2">{words.emptyHint}</p>
        </StateBox>
      ) : (
        <FailureTable data={data} isStale={isPlaceholderData} onType={(one) => goTo({ range, type: one })} />
      )}
    </div>
  );
}

function Summary({ data: { groups, isComplete } }: { readonly data: FailureList }) {
  const sum = (of: 'dead' | 'retrying'): number => groups.reduce((total, group) => total + group[of], 0);
  return (
    <p className="text-sm text-soft">
      {groups.length > 0 && words.summary(groups.length, sum('dead'), sum('retrying'))}
      {!isComplete && <span className="text-failed"> {words.incomplete}</span>}
    </p>
  );
}

import { useNavigate, useSearch } from '@tanstack/react-router';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { useHold } from '../../ui/use-hold.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { AuditTable } from './audit-table.js';
import { FilterRow } from './filter-row.js';
import { useAudit, type AuditFilters } from './use-audit.js';

const words = texts.audit;

/** Who did what, with before and after. What is shown is all in the address. */
export function AuditScreen() {
  const { cursor, ...filters } = useSearch({ from: '/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const { isHeld, holdProps } = useHold<HTMLTableSectionElement>();
  const { data, error, isPlaceholderData, refetch } = useAudit(filters, cursor, isHeld);
  usePageTitle(words.title);

  const onFilter = (next: Partial<AuditFilters>): void =>
    void navigate({ search: { ...filters, ...next, cursor: undefined } });
  const goTo = (to: string | undefined): void => {
    void navigate({ search: { ...filters, cursor: to } });
    document.getElementById('main')?.focus();
  };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);

  return (
    <>
      <header className="border-b border-line px-5 pt-4 pb-3 max-md:px-4">
        <h1 className="text-lg font-semibold tracking-tight">{words.title}</h1>
        <p className="text-soft">{words.intro}</p>
        <FilterRow filters={filters} onFilter={onFilter} />
      </header>
      {error !== null && (data === undefined || isPlaceholderData) ? (
        <ProblemState error={error} onRetry={() => void refetch()} />
      ) : (
        data !== undefined && (
          <>
            {data.entries.length === 0 ? (
              <Empty isFiltered={isFiltered} />
            ) : (
              <AuditTable
                entries={data.entries}
                isStale={isPlaceholderData}
                onFilter={onFilter}
                holdProps={holdProps}
              />
            )}
            {(cursor !== undefined || data.nextCursor !== null) && (
              <div className="flex gap-2 px-5 py-3 max-md:px-4">
                {cursor !== undefined && <Button onClick={() => goTo(undefined)}>{words.first}</Button>}
                <Button disabled={data.nextCursor === null} onClick={() => goTo(data.nextCursor!)}>
                  {words.older}
                </Button>
              </div>
            )}
          </>
        )
      )}
    </>
  );
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <StateBox title={words.emptyTitle}>
        <p>{words.emptyHint}</p>
      </StateBox>
    );
  return (
    <StateBox title={words.noneTitle}>
      <p>{words.noneHint}</p>
      <CopyableLines text={words.noneLines} />
    </StateBox>
  );
}

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useBatches } from '../../api/batch-queries.js';
import { snippets } from '../../texts/snippets.js';
import { texts } from '../../texts/texts.js';
import { classNames } from '../../ui/class-names.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { Button } from '../../ui/inputs/button.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { BatchesTable } from './batches-table.js';

const words = texts.batch;

/** Every batch, newest first: how far it is, what failed, and what is enqueued when it has ended. */
export function BatchesScreen() {
  const { cursor } = useSearch({ from: '/batches' });
  const navigate = useNavigate({ from: '/batches' });
  const { data, error, refetch, isPlaceholderData } = useBatches(cursor);
  usePageTitle(words.listTitle);
  const goTo = (to: string | undefined): void => void navigate({ search: { cursor: to } });
  if (data === undefined) return error !== null && <ProblemState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <header className="border-b border-line px-5 pt-4 pb-3 max-md:px-4">
        <h1 className="text-lg font-semibold tracking-tight">{words.listTitle}</h1>
        <p className="text-soft">{words.intro}</p>
      </header>
      {data.batches.length === 0 ? (
        <StateBox title={words.noneTitle}>
          <p>{words.noneHint}</p>
          <CopyableLines text={snippets.beginBatch} />
        </StateBox>
      ) : (
        <div className={classNames(isPlaceholderData && 'opacity-60')}>
          <BatchesTable batches={data.batches} />
        </div>
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
  );
}

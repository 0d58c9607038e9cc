import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  useAbortBulkAction,
  useBulkAction,
  useOutcome,
  useUndoBulkAction,
  type BulkAction,
} from '../api/bulk-queries.js';
import { useMay } from '../session/use-principal.js';
import { texts } from '../texts/texts.js';
import { formatCount } from '../time/format-count.js';
import { Bar } from '../ui/marks/bar.js';
import { Button } from '../ui/inputs/button.js';
import { FilterLink } from '../ui/filter-link.js';
import { CloseIcon } from '../ui/icons.js';
import { followAction } from './followed-action.js';

const words = texts.bulk;

/** The progress of the action that was begun last, in the place of the row above a table: abort, and then undo. */
export function BulkProgress({ id }: { readonly id: string }) {
  const { data: action } = useBulkAction(id);
  const client = useQueryClient();
  const isOver = action !== undefined && action.status !== 'running';
  useEffect(() => {
    if (!isOver) return;
    for (const queryKey of [['jobs'], ['job'], ['explanation'], ['job-count'], ['failures'], ['bulk-actions']])
      void client.invalidateQueries({ queryKey, exact: false });
  }, [client, isOver]);
  return (
    <div className="flex min-h-7 w-full flex-wrap items-center gap-x-3 gap-y-1 pointer-coarse:min-h-10">
      {action !== undefined && (
        <>
          <ActionBar action={action} />
          <ActionWords action={action} />
          <ActionVerbs action={action} />
          {isOver && action.done > 0 && action.verb !== 'delete' && <Outcome action={action} />}
        </>
      )}
      <button
        type="button"
        aria-label={words.close}
        title={words.close}
        onClick={() => followAction(null)}
        className="ml-auto rounded p-1.5 text-faint hover:bg-sunken hover:text-ink"
      >
        <CloseIcon />
      </button>
    </div>
  );
}

/** What became of its jobs, and the way to them. */
function Outcome({ action }: { readonly action: BulkAction }) {
  const { data } = useOutcome(action);
  const counts = data?.map(({ text, status }) => `${text} ${texts.statuses[status]}`).join(', ');
  return (
    <FilterLink fields={{ bulk: action.id }}>{counts === undefined ? words.outcome : words.became(counts)}</FilterLink>
  );
}

/** What an action did, or does, in words that a screen reader is told when it ends. */
export function ActionWords({ action }: { readonly action: BulkAction }) {
  const { verb, status, total, done } = action;
  const left = Object.values(action.refused).reduce((sum, count) => sum + count, 0);
  return (
    <p role="status" aria-live={status === 'running' ? 'off' : 'polite'} className="text-sm">
      {status === 'running'
        ? `${words.doing[verb]} ${words.progress(formatCount(done), formatCount(total.count, total.isAtLeast))}`
        : `${texts.jobs.count(formatCount(done), done === 1)} ${words.done[verb]}`}
      {status === 'aborted' && <span className="text-failed"> · {words.aborted}</span>}
      {left > 0 && (
        <span className="text-soft" title={Object.keys(action.refused).join(', ')}>
          {' '}
          · {words.refused(formatCount(left))}
        </span>
      )}
    </p>
  );
}

export function ActionBar({ action }: { readonly action: BulkAction }) {
  const { status, total, done } = action;
  if (status !== 'running') return null;
  const left = Object.values(action.refused).reduce((sum, count) => sum + count, 0);
  return (
    <Bar
      aria-label={words.doing[action.verb]}
      {...(total.isAtLeast ? {} : { value: Math.min(done + left, total.count), max: Math.max(1, total.count) })}
      className="w-28"
    />
  );
}

/** Ends it while it runs; afterwards takes it back, as an action of its own that is followed. */
export function ActionVerbs({ action }: { readonly action: BulkAction }) {
  const abort = useAbortBulkAction();
  const undo = useUndoBulkAction(({ id }) => followAction(id));
  const mayOperate = useMay('operate');
  const error = abort.error ?? undo.error;
  if (!mayOperate) return null;
  return (
    <>
      {action.status === 'running' && (
        <Button kind="danger" disabled={abort.isPending} onClick={() => abort.mutate(action.id)}>
          {words.abort}
        </Button>
      )}
      {action.undoUntil !== null && (
        <Button
          disabled={undo.isPending}
          title={words.undoUntil(new Date(action.undoUntil).toLocaleTimeString('sv-SE'))}
          onClick={() => undo.mutate(action.id)}
        >
          {words.undo}
        </Button>
      )}
      {error !== null && (
        <span role="alert" className="text-dead">
          {error.message}
        </span>
      )}
    </>
  );
}

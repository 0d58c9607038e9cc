import { useState } from 'react';
import { useBulkActions, type BulkAction } from '../api/bulk-queries.js';
import { texts } from '../texts/texts.js';
import { serverNow } from '../time/server-clock.js';
import { Button } from '../ui/inputs/button.js';
import { Dialog } from '../ui/dialog.js';
import { Age } from '../ui/marks/moment.js';
import { ProblemState } from '../ui/problem-state.js';
import { ActionBar, ActionVerbs, ActionWords } from './bulk-progress.js';

const words = texts.bulk;
const DAY_MS = 86_400_000;

/** Opens the bulk actions of today, and tells while some run. */
export function BulkPanel() {
  const [isOpen, open] = useState(false);
  const { data, error, refetch } = useBulkActions();
  const actions = (data?.actions ?? []).filter(({ createdAt }) => serverNow() - Date.parse(createdAt) < DAY_MS);
  const running = actions.filter(({ status }) => status === 'running').length;
  return (
    <>
      <Button kind="quiet" onClick={() => open(true)}>
        {words.today}
        {running > 0 && (
          <span className="rounded-full bg-running-wash px-1.5 text-xs text-running">{words.running(running)}</span>
        )}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => open(false)}
        title={words.panelTitle}
        className="w-[min(44rem,calc(100vw-1.5rem))]!"
      >
        {data === undefined && error !== null ? (
          <ProblemState error={error} onRetry={() => void refetch()} />
        ) : (
          <ul className="divide-y divide-line/70">
            {actions.map((action) => (
              <Row key={action.id} action={action} />
            ))}
          </ul>
        )}
        {data !== undefined && actions.length === 0 && <p className="text-soft">{words.panelEmpty}</p>}
      </Dialog>
    </>
  );
}

function Row({ action }: { readonly action: BulkAction }) {
  const what = action.filter || words.everyJob;
  return (
    <li className="py-2.5 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{words.verbs[action.verb]}</span>
        <ActionBar action={action} />
        <ActionWords action={action} />
        <span className="ml-auto flex items-center gap-2">
          <ActionVerbs action={action} />
        </span>
      </div>
      <p className="mt-0.5 flex gap-x-3 text-xs text-soft">
        {action.verb !== 'undo' && (
          <code className="min-w-0 truncate font-mono" title={what}>
            {what}
          </code>
        )}
        <span className="ml-auto whitespace-nowrap text-faint">
          {words.by(action.by)} · <Age at={action.createdAt} />
        </span>
      </p>
      {action.reason !== null && <p className="text-xs text-soft">“{action.reason}”</p>}
    </li>
  );
}

import { useState } from 'react';
import { useQueues, useWorkers, type QueueState } from '../../api/now-queries.js';
import { useMay } from '../../session/use-principal.js';
import { snippets } from '../../texts/snippets.js';
import { texts } from '../../texts/texts.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { groupQueues } from './group-queues.js';
import { PauseDialog, type PauseTarget } from './pause-dialog.js';
import { QueueRows } from './queue-rows.js';

const words = texts.queues;

/** What waits in each queue and why, and the brakes: a queue or a type is paused and resumed here. */
export function QueuesScreen() {
  const { data, error, refetch } = useQueues();
  const workers = useWorkers().data?.workers;
  const mayOperate = useMay('operate');
  const [target, ask] = useState<PauseTarget | null>(null);
  usePageTitle(words.title);
  if (data === undefined) return error === null ? null : <ProblemState error={error} onRetry={() => void refetch()} />;
  return (
    <div className="mx-auto max-w-7xl px-5 py-4 max-md:px-3">
      <h1 className="mb-3 text-base font-semibold">{words.title}</h1>
      {data.queues.length === 0 ? (
        <StateBox title={words.emptyTitle}>
          <p>{words.emptyHint}</p>
          <CopyableLines text={snippets.defineJob} />
        </StateBox>
      ) : (
        <QueuesTable
          queues={data.queues}
          workersOf={(queue) =>
            workers?.filter(({ queues, state }) => state !== 'lost' && queues.includes(queue)).length
          }
          onAsk={mayOperate ? ask : null}
        />
      )}
      {target !== null && <PauseDialog target={target} onClose={() => ask(null)} />}
    </div>
  );
}

interface QueuesTableProps {
  readonly queues: readonly QueueState[];
  /** undefined: not known yet. */
  readonly workersOf: (queue: string) => number | undefined;
  /** null: this key may not pause. */
  readonly onAsk: ((target: PauseTarget) => void) | null;
}

function QueuesTable({ queues, workersOf, onAsk }: QueuesTableProps) {
  const number = 'px-2 py-1.5 text-right font-medium';
  return (
    <table className="w-full border-collapse">
      <thead className="text-xs text-faint">
        <tr>
          <th scope="col" className="py-1.5 pr-2 pl-3 text-left font-medium">
            {words.column.name}
          </th>
          <th scope="col" className={number}>
            {words.column.due}
          </th>
          <th scope="col" className={number}>
            {words.column.oldest}
          </th>
          <th scope="col" className={`${number} max-md:hidden`} title={words.heldWords}>
            {words.column.held}
          </th>
          <th scope="col" className={`${number} max-md:hidden`}>
            {words.column.running}
          </th>
          <th scope="col" className={`${number} max-md:hidden`}>
            {words.column.scheduled}
          </th>
          <th scope="col" className={`${number} max-md:hidden`}>
            {words.column.retrying}
          </th>
          <th scope="col" className={`${number} max-lg:hidden`} title={words.lately}>
            {words.column.succeeded}
          </th>
          <th scope="col" className={`${number} max-lg:hidden`} title={words.lately}>
            {words.column.failures}
          </th>
          <th scope="col" className={`${number} max-lg:hidden`} title={words.lately}>
            {words.column.wait}
          </th>
          {onAsk !== null && (
            <th scope="col" className="w-0">
              <span className="sr-only">{words.column.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      {groupQueues(queues).map((queue) => (
        <QueueRows key={queue.name} queue={queue} workers={workersOf(queue.name)} onAsk={onAsk} />
      ))}
    </table>
  );
}

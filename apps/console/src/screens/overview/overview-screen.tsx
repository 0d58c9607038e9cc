import { useNavigate, useSearch } from '@tanstack/react-router';
import { useFlowRules } from '../../api/flow-queries.js';
import { useQueues, useUnserved, useWorkers } from '../../api/now-queries.js';
import { snippets } from '../../texts/snippets.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { CloseIcon } from '../../ui/icons.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { useHold } from '../../ui/use-hold.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { Charts } from './charts.js';
import { FiguresTable } from './figures-table.js';
import { RangeTabs } from './range-tabs.js';
import { readRange } from './ranges.js';
import { Totals } from './totals.js';
import { Troubles } from './troubles.js';
import { WorkersStrip } from './workers-strip.js';

const words = texts.overview;
const NONE: readonly never[] = [];

/** How the queue is: what is wrong first, then its figures and its workers. The address has the range, and whose figures. */
export function OverviewScreen() {
  const { range: named, queue, type } = useSearch({ from: '/overview' });
  const range = readRange(named);
  const navigate = useNavigate({ from: '/overview' });
  const queues = useQueues();
  const workers = useWorkers();
  const unserved = useUnserved();
  const rules = useFlowRules().data?.rules ?? NONE;
  const { isHeld, holdProps } = useHold<HTMLDivElement>();
  usePageTitle(words.title);
  const error = queues.error ?? workers.error ?? unserved.error;
  if (queues.data === undefined || workers.data === undefined || unserved.data === undefined)
    return error === null ? null : <ProblemState error={error} onRetry={() => void queues.refetch()} />;

  const chosen = { queue, type };
  const isOf = (place: { readonly queue: string; readonly type: string }): boolean =>
    (queue === undefined || place.queue === queue) && (type === undefined || place.type === type);
  const places = queues.data.queues.filter(isOf);
  const isNew = queues.data.queues.length === 0 && workers.data.workers.length === 0;
  const choose = (next: { readonly queue?: string | undefined; readonly type?: string | undefined }): void =>
    void navigate({ search: { range: named, queue: next.queue, type: next.type }, resetScroll: false });
  return (
    <div className="mx-auto max-w-7xl px-5 py-4 max-md:px-3">
      <h1 className="sr-only">{words.title}</h1>
      {isNew ? (
        <StateBox title={words.emptyTitle}>
          <p>{words.emptyHint}</p>
          <CopyableLines text={snippets.startWorker} />
        </StateBox>
      ) : (
        <Troubles
          queues={queues.data.queues}
          workers={workers.data.workers}
          unserved={unserved.data.unserved}
          rules={rules}
          isHeldBelow={isHeld}
        />
      )}
      <Totals places={places} workers={workers.data.workers} />
      <div className="mt-5 mb-2 flex min-h-8 flex-wrap items-center gap-2">
        <h2 className="text-sm font-semibold">{words.figures}</h2>
        {(queue !== undefined || type !== undefined) && (
          <Button className="max-w-full" onClick={() => choose({})} title={words.ofAll}>
            <span className="truncate">{words.of(type ?? '', queue ?? '')}</span>
            <span className="sr-only"> {words.ofAll}</span>
            <CloseIcon />
          </Button>
        )}
        <div className="ml-auto">
          <RangeTabs
            range={range}
            onRange={(next) =>
              void navigate({ search: { range: next === 'hour' ? undefined : next, queue, type }, resetScroll: false })
            }
          />
        </div>
      </div>
      <Charts range={range} {...chosen} />
      <div {...holdProps}>
        <FiguresTable range={range} queues={queues.data.queues} chosen={chosen} onChoose={choose} />
      </div>
      <WorkersStrip workers={workers.data.workers} />
    </div>
  );
}

import { useSearch } from '@tanstack/react-router';
import { useFlowRules } from '../../api/flow-queries.js';
import { useQueues, useUnserved, useWorkers } from '../../api/now-queries.js';
import { useIsDone, useRefusal } from '../../session/use-refusal.js';
import { snippets } from '../../texts/snippets.js';
import { texts } from '../../texts/texts.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { useHold } from '../../ui/use-hold.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { Past } from './past.js';
import { Lacking } from './lacking.js';
import { readRange } from './ranges.js';
import { Sizes } from './sizes.js';
import { Totals } from './totals.js';
import { Troubles } from './troubles.js';

const words = texts.overview;
const NONE: readonly never[] = [];

/** How the queue is: what is wrong first, then its figures and its workers. The address has the range, and whose figures. */
export function OverviewScreen() {
  const { range: named, queue, type } = useSearch({ from: '/overview' });
  const range = readRange(named);
  const queues = useQueues();
  const workers = useWorkers();
  const unserved = useUnserved();
  const rules = useFlowRules().data?.rules ?? NONE;
  const { isHeld, holdProps } = useHold<HTMLDivElement>();
  usePageTitle(words.title);
  const areWorkersKnown = useIsDone('listWorkers');
  const whyNoFigures = useRefusal('listFigures');
  const error = queues.error ?? workers.error ?? unserved.error;
  if (queues.data === undefined || (areWorkersKnown && (workers.data === undefined || unserved.data === undefined)))
    return error === null ? null : <ProblemState error={error} onRetry={() => void queues.refetch()} />;

  const chosen = { queue, type };
  const isOf = (place: { readonly queue: string; readonly type: string }): boolean =>
    (queue === undefined || place.queue === queue) && (type === undefined || place.type === type);
  const places = queues.data.queues.filter(isOf);
  const listed = workers.data?.workers ?? null;
  const isNew = queues.data.queues.length === 0 && listed?.length === 0;
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
          workers={listed ?? NONE}
          unserved={unserved.data?.unserved ?? NONE}
          areWorkersKnown={areWorkersKnown}
          rules={rules}
          isHeldBelow={isHeld}
        />
      )}
      <Totals places={places} workers={listed} />
      {whyNoFigures === null ? (
        <Past
          range={range}
          queues={queues.data.queues}
          workers={listed ?? NONE}
          chosen={chosen}
          holdProps={holdProps}
        />
      ) : (
        <Lacking why={whyNoFigures} />
      )}
      <Sizes />
    </div>
  );
}

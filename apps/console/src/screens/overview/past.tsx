import { useNavigate, useSearch } from '@tanstack/react-router';
import type { QueueState, Worker } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { CloseIcon } from '../../ui/icons.js';
import type { useHold } from '../../ui/use-hold.js';
import { Charts } from './charts.js';
import { FiguresTable } from './figures-table.js';
import { RangeTabs } from './range-tabs.js';
import type { Range } from './ranges.js';
import { WorkersStrip } from './workers-strip.js';

const words = texts.overview;

interface Place {
  readonly queue: string | undefined;
  readonly type: string | undefined;
}

interface PastProps {
  readonly range: Range;
  readonly queues: readonly QueueState[];
  readonly workers: readonly Worker[];
  readonly chosen: Place;
  /** Of the table, which stays while a pointer is on its way to it. */
  readonly holdProps: ReturnType<typeof useHold<HTMLDivElement>>['holdProps'];
}

/** What became of jobs over a range, as charts and by type, and the workers. */
export function Past({ range, queues, workers, chosen, holdProps }: PastProps) {
  const { range: named } = useSearch({ from: '/overview' });
  const navigate = useNavigate({ from: '/overview' });
  const { queue, type } = chosen;
  const choose = (next: Partial<Place>): void =>
    void navigate({ search: { range: named, queue: next.queue, type: next.type }, resetScroll: false });
  return (
    <>
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
        <FiguresTable range={range} queues={queues} chosen={chosen} onChoose={choose} />
      </div>
      <WorkersStrip workers={workers} />
    </>
  );
}

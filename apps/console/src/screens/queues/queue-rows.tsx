import type { Pause, QueueState } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatDuration, formatShortDuration } from '../../time/format-duration.js';
import { Button } from '../../ui/inputs/button.js';
import { FilterLink, type FilterFields } from '../../ui/filter-link.js';
import type { Queue } from './group-queues.js';
import type { PauseTarget } from './pause-dialog.js';
import { PauseLine } from './pause-line.js';

const words = texts.queues;
const NUMBER = 'px-2 py-1.5 text-right';
const COLUMNS = 11;

interface QueueRowsProps {
  readonly queue: Queue;
  readonly workers: number | undefined;
  readonly onAsk: ((target: PauseTarget) => void) | null;
}

/** A queue with its sums, why nothing of it starts, and a row for each of its types. */
export function QueueRows({ queue: { name, pause, types, sum }, workers, onAsk }: QueueRowsProps) {
  return (
    <tbody className="border-b-8 border-canvas">
      <tr className="border-y border-line bg-surface font-medium">
        <th scope="row" className="max-w-0 py-1.5 pr-2 pl-3 text-left font-semibold md:w-[30%]">
          <span className="flex min-w-0 items-baseline gap-2">
            <FilterLink fields={{ queue: name }} className="truncate">
              {name}
            </FilterLink>
            {workers !== undefined && (
              <span
                className={`shrink-0 text-xs font-normal ${workers === 0 ? 'text-failed' : 'text-faint'} max-md:hidden`}
              >
                {words.workers(workers)}
              </span>
            )}
          </span>
        </th>
        <Figures of={sum} fields={{ queue: name }} />
        <td className={`${NUMBER} max-lg:hidden`}>{printWait(types)}</td>
        <Brake target={{ kind: 'queue', name, pause, due: sum.due }} onAsk={onAsk} />
      </tr>
      {pause !== null && <PauseRow pause={pause} />}
      {types.map((state) => (
        <TypeRows key={state.type} state={state} onAsk={onAsk} />
      ))}
      {types.length === 0 && (
        <tr>
          <td colSpan={COLUMNS} className="px-3 py-1.5 text-soft">
            {words.nothing}
          </td>
        </tr>
      )}
    </tbody>
  );
}

function TypeRows({ state, onAsk }: { readonly state: QueueState; readonly onAsk: QueueRowsProps['onAsk'] }) {
  const { queue, type, pauses } = state;
  const pause = pauses.find(({ kind }) => kind === 'type') ?? null;
  return (
    <>
      <tr className="border-b border-line/70 hover:bg-sunken">
        <th scope="row" className="max-w-0 truncate py-1.5 pr-2 pl-6 text-left font-normal max-md:pl-4">
          <FilterLink fields={{ queue, type }}>{type}</FilterLink>
        </th>
        <Figures of={state} fields={{ queue, type }} />
        <td className={`${NUMBER} max-lg:hidden`}>{printWait([state])}</td>
        <Brake target={{ kind: 'type', name: type, pause, due: state.due }} onAsk={onAsk} />
      </tr>
      {pause !== null && <PauseRow pause={pause} />}
    </>
  );
}

function Figures({ of, fields }: { readonly of: Queue['sum']; readonly fields: FilterFields }) {
  const failures = of.failed === null || of.dead === null ? null : of.failed + of.dead;
  return (
    <>
      <td className={NUMBER}>
        <Count count={of.due} isAtLeast={of.isAtLeast} />
      </td>
      <td className={`${NUMBER} whitespace-nowrap`}>
        {of.due === 0 ? '–' : formatShortDuration(of.oldestWaitingSeconds * 1_000)}
      </td>
      <td className={`${NUMBER} max-md:hidden`}>
        {of.held === 0 ? (
          <Count count={0} />
        ) : (
          <FilterLink fields={{ held: 'any', ...fields }}>{formatCount(of.held, of.isAtLeast)}</FilterLink>
        )}
      </td>
      <td className={`${NUMBER} max-md:hidden`}>
        <Count count={of.running} />
      </td>
      <td className={`${NUMBER} max-md:hidden`}>
        <Count count={of.scheduled} isAtLeast={of.isAtLeast} />
      </td>
      <td className={`${NUMBER} max-md:hidden`}>
        <Count count={of.retrying} isAtLeast={of.isAtLeast} />
      </td>
      <td className={`${NUMBER} max-lg:hidden`}>
        <Count count={of.succeeded} />
      </td>
      <td className={`${NUMBER} max-lg:hidden text-dead`}>
        <Count count={failures} />
      </td>
    </>
  );
}

/** A figure that steps back where it is nothing, or not known. */
function Count({ count, isAtLeast = false }: { readonly count: number | null; readonly isAtLeast?: boolean }) {
  if (count === null) return <span className="font-normal text-faint">–</span>;
  return count === 0 ? <span className="font-normal text-faint">0</span> : formatCount(count, isAtLeast);
}

/** The longest wait of its types: those of different types cannot be put together. */
function printWait(types: readonly QueueState[]): string {
  const longest = Math.max(-1, ...types.map(({ wait }) => wait?.p95Ms ?? -1));
  return longest < 0 ? '–' : formatDuration(longest);
}

function PauseRow({ pause }: { readonly pause: Pause }) {
  return (
    <tr className="border-b border-line/70">
      <td colSpan={COLUMNS} className="px-3 py-1.5">
        <PauseLine pause={pause} />
      </td>
    </tr>
  );
}

interface BrakeProps {
  readonly target: PauseTarget;
  readonly onAsk: QueueRowsProps['onAsk'];
}

/** The cell that pauses, or resumes, after a question; there is none where this key may not. */
function Brake({ target, onAsk }: BrakeProps) {
  if (onAsk === null) return null;
  const label = target.pause === null ? words.pause : words.resume;
  return (
    <td className="py-1 pr-2 pl-1 text-right">
      <Button
        kind={target.pause === null ? 'quiet' : 'plain'}
        aria-label={words.labelOf(label, target.kind, target.name)}
        onClick={() => onAsk(target)}
      >
        {label}
      </Button>
    </td>
  );
}

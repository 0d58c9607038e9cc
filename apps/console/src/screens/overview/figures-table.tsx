import { useFigures, type Figures, type QueueState } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatDuration, formatShortDuration } from '../../time/format-duration.js';
import { classNames } from '../../ui/class-names.js';
import { FilterLink } from '../../ui/filter-link.js';
import { RANGES, spanOf, type Range } from './ranges.js';

const words = texts.overview.table;

interface Place {
  readonly queue: string | undefined;
  readonly type: string | undefined;
}

interface FiguresTableProps {
  readonly range: Range;
  readonly queues: readonly QueueState[];
  readonly chosen: Place;
  readonly onChoose: (place: Partial<Place>) => void;
}

const NUMBER = 'px-2 py-1.5 text-right max-md:px-1.5';
const WIDE = 'max-md:hidden';

/** Each type of each queue: how it is now, and what became of it over the range. A type's charts are one press away. */
export function FiguresTable({ range, queues, chosen, onChoose }: FiguresTableProps) {
  const { data } = useFigures({ step: 'whole' }, spanOf(range), RANGES[range].everyMs);
  const rows = join(queues, data?.figures ?? []);
  if (rows.length === 0) return null;
  const print = (count: number | undefined): string => (data === undefined ? '–' : formatCount(count ?? 0));
  return (
    <section className="mt-5" aria-busy={data === undefined}>
      <h2 className="mb-1 text-sm font-semibold">{words.title}</h2>
      <table className="w-full border-collapse">
        <thead className="text-xs text-faint">
          <tr className="border-b border-line">
            <th scope="col" className="py-1.5 pr-2 text-left font-medium">
              {words.type}
            </th>
            <th scope="col" className={`${NUMBER} font-medium`}>
              {words.due}
            </th>
            <th scope="col" className={`${NUMBER} font-medium ${WIDE}`}>
              {words.running}
            </th>
            <th scope="col" className={`${NUMBER} font-medium ${WIDE}`}>
              {words.oldest}
            </th>
            <th scope="col" className={`${NUMBER} font-medium md:border-l md:border-line`}>
              {words.succeeded}
            </th>
            <th scope="col" className={`${NUMBER} font-medium`}>
              {words.failed}
            </th>
            <th scope="col" className={`${NUMBER} font-medium`}>
              {words.dead}
            </th>
            <th scope="col" className={`${NUMBER} font-medium ${WIDE}`}>
              {words.waitP50}
            </th>
            <th scope="col" className={`${NUMBER} font-medium ${WIDE}`}>
              {words.waitP95}
            </th>
            <th scope="col" className={`${NUMBER} font-medium ${WIDE}`}>
              {words.runP95}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ queue, type, now, past }) => {
            const isChosen = chosen.queue === queue && chosen.type === type;
            return (
              <tr
                key={`${queue} ${type}`}
                className={classNames('border-b border-line/70', isChosen ? 'bg-accent-wash' : 'hover:bg-sunken')}
              >
                <th scope="row" className="max-w-0 truncate py-1.5 pr-2 text-left font-normal max-md:w-2/5 md:w-[30%]">
                  <button
                    type="button"
                    aria-pressed={isChosen}
                    title={words.choose(type)}
                    onClick={() => onChoose(isChosen ? {} : { queue, type })}
                    className="max-w-full truncate text-left font-medium underline decoration-line-strong decoration-dotted underline-offset-3 hover:decoration-ink"
                  >
                    {type}
                  </button>
                  <span className="text-faint max-md:block max-md:text-xs md:ml-2">{queue}</span>
                </th>
                <td className={NUMBER}>{now === undefined ? 0 : formatCount(now.due, now.isAtLeast)}</td>
                <td className={`${NUMBER} ${WIDE}`}>{formatCount(now?.running ?? 0)}</td>
                <td className={`${NUMBER} ${WIDE}`}>
                  {now === undefined || now.due === 0 ? '–' : formatShortDuration(now.oldestWaitingSeconds * 1_000)}
                </td>
                <td className={`${NUMBER} md:border-l md:border-line`}>{print(past?.succeeded)}</td>
                <td className={NUMBER}>
                  <Failures count={past?.failed ?? 0} fields={{ status: 'failed', queue, type }} look="text-failed" />
                </td>
                <td className={NUMBER}>
                  <Failures count={past?.dead ?? 0} fields={{ status: 'dead', queue, type }} look="text-dead" />
                </td>
                <td className={`${NUMBER} ${WIDE}`}>{printTime(past?.wait.p50Ms)}</td>
                <td className={`${NUMBER} ${WIDE}`}>{printTime(past?.wait.p95Ms)}</td>
                <td className={`${NUMBER} ${WIDE}`}>{printTime(past?.run.p95Ms)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const printTime = (ms: number | null | undefined): string => (typeof ms === 'number' ? formatDuration(ms) : '–');

interface FailuresProps {
  readonly count: number;
  readonly fields: Parameters<typeof FilterLink>[0]['fields'];
  readonly look: string;
}

function Failures({ count, fields, look }: FailuresProps) {
  if (count === 0) return <span className="text-faint">0</span>;
  return (
    <FilterLink fields={fields} className={`font-medium ${look}`}>
      {formatCount(count)}
    </FilterLink>
  );
}

interface Row {
  readonly queue: string;
  readonly type: string;
  readonly now: QueueState | undefined;
  readonly past: Figures | undefined;
}

/** Every place that is known now or has figures, by name: an order that no figure changes. */
function join(queues: readonly QueueState[], figures: readonly Figures[]): readonly Row[] {
  const nameOf = ({ queue, type }: { readonly queue: string; readonly type: string }): string => `${queue} ${type}`;
  const nows = new Map(queues.map((one) => [nameOf(one), one]));
  const pasts = new Map(figures.map((one) => [nameOf(one), one]));
  const places = new Map([...queues, ...figures].map((one) => [nameOf(one), one]));
  return [...places]
    .filter(([, { type }]) => type !== '')
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, { queue, type }]) => ({ queue, type, now: nows.get(name), past: pasts.get(name) }));
}

import { texts } from '../../texts/texts.js';
import { formatMoment, type Zone } from '../../time/format-moment.js';
import { useZone } from '../../time/zone-store.js';
import { classNames } from '../../ui/class-names.js';
import type { ShownDueTime, DueTimeKind } from './make-due-times.js';

const words = texts.schedules;

/** Height, fill and border tell the kinds apart without their colours. */
const LOOKS: Readonly<Record<DueTimeKind, string>> = {
  fired: 'h-full bg-succeeded',
  live: 'h-3/4 bg-running',
  dead: 'h-full border-y-4 border-dead bg-dead-wash ring-1 ring-dead ring-inset',
  late: 'h-full border-t-4 border-failed bg-failed-wash ring-1 ring-failed ring-inset',
  triggered: 'h-1/2 rounded-t-full bg-accent',
  skipped: 'hatched h-2/5 text-cancelled ring-1 ring-cancelled ring-inset',
  waiting: 'h-3/5 bg-queued-wash ring-1 ring-queued ring-inset',
  missing: 'h-full border border-dashed border-dead bg-dead-wash',
  undecided: 'h-3/5 border border-dashed border-queued',
};
export const lookOf = (kind: DueTimeKind): string => LOOKS[kind];

interface DueTimeStripProps {
  /** The oldest first. */
  readonly dueTimes: readonly ShownDueTime[];
  readonly isSmall?: boolean;
}

/** Due times as a strip, the newest at the right. A screen reader hears how many there are of each kind. */
export function DueTimeStrip({ dueTimes, isSmall = false }: DueTimeStripProps) {
  const zone = useZone();
  return (
    <div
      role="img"
      aria-label={words.strip(countKinds(dueTimes) || words.noDueTimes)}
      className={classNames('flex items-end justify-end overflow-hidden', isSmall ? 'h-4 gap-px' : 'h-10 gap-0.5')}
    >
      {dueTimes.map((shown) => (
        <span
          key={shown.at + shown.kind}
          title={describe(shown, zone)}
          className={classNames(
            'rounded-[1px]',
            isSmall ? 'w-1.5 shrink-0' : 'max-w-5 min-w-1.5 flex-1',
            lookOf(shown.kind),
          )}
        />
      ))}
    </div>
  );
}

/** `41 fired, 2 late`, in the order of the kinds. */
export function countKinds(dueTimes: readonly ShownDueTime[]): string {
  return (Object.keys(LOOKS) as DueTimeKind[])
    .map((kind) => [kind, dueTimes.filter((one) => one.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => words.count(count, words.dueTimeKinds[kind]))
    .join(', ');
}

/** What is drawn how, of the kinds that are there. */
export function StripLegend({ dueTimes }: Pick<DueTimeStripProps, 'dueTimes'>) {
  const kinds = (Object.keys(LOOKS) as DueTimeKind[]).filter((kind) => dueTimes.some((one) => one.kind === kind));
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
      {kinds.map((kind) => (
        <li key={kind} title={words.dueTimeWords[kind]} className="flex items-center gap-1.5">
          <span aria-hidden="true" className="flex h-3.5 w-1.5 items-end">
            <span className={classNames('w-full rounded-[1px]', LOOKS[kind])} />
          </span>
          {words.count(dueTimes.filter((one) => one.kind === kind).length, words.dueTimeKinds[kind])}
        </li>
      ))}
    </ul>
  );
}

function describe({ at, kind, dueTime }: ShownDueTime, zone: Zone): string {
  const reason = words.reasons[dueTime?.reason ?? ''];
  const runStatus = dueTime?.runStatus ?? null;
  const status = runStatus === null ? null : texts.statuses[runStatus as keyof typeof texts.statuses];
  return [formatMoment(new Date(at), zone), words.dueTimeKinds[kind], reason, status].filter(Boolean).join(' · ');
}

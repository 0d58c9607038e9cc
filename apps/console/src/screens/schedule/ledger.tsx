import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useExpectedDueTimes, useLedger, type Schedule } from '../../api/use-schedules.js';
import { useMay } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { formatShortDuration } from '../../time/format-duration.js';
import { formatMoment } from '../../time/format-moment.js';
import { serverNow } from '../../time/server-clock.js';
import { useNow } from '../../time/use-now.js';
import { useZone } from '../../time/zone-store.js';
import { Button } from '../../ui/inputs/button.js';
import { classNames } from '../../ui/class-names.js';
import { Moment } from '../../ui/marks/moment.js';
import { StatusBadge, type Status } from '../../ui/marks/status-badge.js';
import { expectFrom, LATE_MS, makeDueTimes, type ShownDueTime } from './make-due-times.js';
import { ScheduleVerbDialog } from './schedule-verb-dialog.js';
import { lookOf, DueTimeStrip, StripLegend } from './due-time-strip.js';

const words = texts.schedules;
const SHOWN = 60;
const LINES = 8;

/** What became of the last due times: as a strip, and as a table of the same. */
export function Ledger({ schedule }: { readonly schedule: Schedule }) {
  const { data, dataUpdatedAt } = useLedger(schedule.key);
  const ledger = data?.dueTimes;
  const now = useNow();
  const expected = useExpectedDueTimes(schedule, ledger === undefined ? null : expectFrom(ledger, schedule, now)).data;
  if (ledger === undefined) return <section aria-label={words.ledger} className="min-h-24" />;
  // what has just come due may be decided and not read yet
  const untilMs = dataUpdatedAt + (serverNow() - Date.now()) - LATE_MS - schedule.splayMs;
  const dueTimes = makeDueTimes(ledger, expected ?? [], schedule, untilMs).slice(-SHOWN);
  return (
    <section>
      <h2 className="mb-1.5 text-sm font-semibold">{words.ledger}</h2>
      {dueTimes.length === 0 ? (
        <p className="text-soft">{words.ledgerEmpty}</p>
      ) : (
        <>
          <div className="rounded-md border border-line bg-surface px-3 pt-3 pb-2">
            <DueTimeStrip dueTimes={dueTimes} />
            <div className="mt-1 flex justify-between border-t border-line pt-1 text-2xs text-faint">
              <Moment at={dueTimes[0]!.at} />
              {dueTimes.length > 1 && <Moment at={dueTimes.at(-1)!.at} />}
            </div>
          </div>
          <div className="mt-2">
            <StripLegend dueTimes={dueTimes} />
          </div>
          <DueTimeTable schedule={schedule} dueTimes={dueTimes.toReversed()} />
        </>
      )}
    </section>
  );
}

interface DueTimeTableProps {
  readonly schedule: Schedule;
  readonly dueTimes: readonly ShownDueTime[];
}

function DueTimeTable({ schedule, dueTimes }: DueTimeTableProps) {
  const [isWhole, showWhole] = useState(false);
  const [asked, ask] = useState<string | null>(null);
  const shown = isWhole ? dueTimes : dueTimes.slice(0, LINES);
  return (
    <>
      <table aria-label={words.ledger} className="mt-3 w-full border-collapse">
        <thead>
          <tr className="border-b border-line text-left text-xs text-faint">
            <th scope="col" className="py-1 pr-3 font-medium">
              {words.ledgerColumn.at}
            </th>
            <th scope="col" className="max-w-0 truncate py-1 pr-3 font-medium">
              {words.ledgerColumn.became}
            </th>
            <th scope="col" className="py-1 pr-3 text-right font-medium max-md:hidden">
              {words.ledgerColumn.late}
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              {words.ledgerColumn.job}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <DueTimeLine key={one.at + one.kind} shown={one} onRun={() => ask(one.at)} />
          ))}
        </tbody>
      </table>
      {dueTimes.length > shown.length && (
        <Button kind="quiet" className="mt-1" onClick={() => showWhole(true)}>
          {words.moreDueTimes(dueTimes.length - shown.length)}
        </Button>
      )}
      {asked !== null && <ScheduleVerbDialog verb="run" schedule={schedule} dueAt={asked} onClose={() => ask(null)} />}
    </>
  );
}

function DueTimeLine({ shown, onRun }: { readonly shown: ShownDueTime; readonly onRun: () => void }) {
  const { at, kind, dueTime } = shown;
  const zone = useZone();
  const mayRun = useMay('schedules') && kind === 'skipped';
  const pause = dueTime?.pause ?? null;
  const reason = pause === null ? words.reasons[dueTime?.reason ?? ''] : words.missedByPause(pause.by, pause.reason);
  return (
    <tr className="h-8 border-b border-line/70">
      <td className="pr-3 whitespace-nowrap">
        <Moment at={at} />
      </td>
      <td
        className="w-full max-w-0 truncate pr-3 max-md:break-words max-md:whitespace-normal"
        title={reason ?? words.dueTimeWords[kind]}
      >
        <span aria-hidden="true" className="mr-2 inline-flex h-3.5 w-1.5 items-end align-[-2px]">
          <span className={classNames('w-full rounded-[1px]', lookOf(kind))} />
        </span>
        <span className="font-medium">{words.dueTimeKinds[kind]}</span>
        {(kind !== 'fired' || reason !== undefined) && (
          <span className="ml-2 text-soft">{reason ?? words.dueTimeWords[kind]}</span>
        )}
      </td>
      <td className="pr-3 text-right whitespace-nowrap text-soft max-md:hidden">
        {dueTime?.outcome === 'fired' && formatShortDuration(dueTime.lateMs)}
      </td>
      <td className="text-right whitespace-nowrap">
        {mayRun && (
          <Button kind="quiet" aria-label={words.runDueTimeOf(formatMoment(new Date(at), zone))} onClick={onRun}>
            {words.runDueTime}
          </Button>
        )}
        {dueTime !== null && dueTime.runId !== null && (
          <span className="inline-flex items-center gap-2">
            {dueTime.runStatus !== null && (
              <span className="max-md:hidden">
                <StatusBadge status={dueTime.runStatus as Status} />
              </span>
            )}
            <Link to="/jobs/$id" params={{ id: dueTime.runId }} className="font-mono text-xs hover:underline">
              {dueTime.runId}
            </Link>
          </span>
        )}
      </td>
    </tr>
  );
}

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useExpectedSlots, useLedger, type Schedule } from '../../api/use-schedules.js';
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
import { expectFrom, LATE_MS, makeSlots, type ShownSlot } from './make-slots.js';
import { ScheduleVerbDialog } from './schedule-verb-dialog.js';
import { lookOf, SlotStrip, StripLegend } from './slot-strip.js';

const words = texts.schedules;
const SHOWN = 60;
const LINES = 8;

/** What became of the last slots: as a strip, and as a table of the same. */
export function Ledger({ schedule }: { readonly schedule: Schedule }) {
  const { data, dataUpdatedAt } = useLedger(schedule.key);
  const ledger = data?.slots;
  const now = useNow();
  const expected = useExpectedSlots(schedule, ledger === undefined ? null : expectFrom(ledger, schedule, now)).data;
  if (ledger === undefined) return <section aria-label={words.ledger} className="min-h-24" />;
  // what has just come due may be decided and not read yet
  const untilMs = dataUpdatedAt + (serverNow() - Date.now()) - LATE_MS - schedule.splayMs;
  const slots = makeSlots(ledger, expected ?? [], schedule, untilMs).slice(-SHOWN);
  return (
    <section>
      <h2 className="mb-1.5 text-sm font-semibold">{words.ledger}</h2>
      {slots.length === 0 ? (
        <p className="text-soft">{words.ledgerEmpty}</p>
      ) : (
        <>
          <div className="rounded-md border border-line bg-surface px-3 pt-3 pb-2">
            <SlotStrip slots={slots} />
            <div className="mt-1 flex justify-between border-t border-line pt-1 text-2xs text-faint">
              <Moment at={slots[0]!.at} />
              {slots.length > 1 && <Moment at={slots.at(-1)!.at} />}
            </div>
          </div>
          <div className="mt-2">
            <StripLegend slots={slots} />
          </div>
          <SlotTable schedule={schedule} slots={slots.toReversed()} />
        </>
      )}
    </section>
  );
}

interface SlotTableProps {
  readonly schedule: Schedule;
  readonly slots: readonly ShownSlot[];
}

function SlotTable({ schedule, slots }: SlotTableProps) {
  const [isWhole, showWhole] = useState(false);
  const [asked, ask] = useState<string | null>(null);
  const shown = isWhole ? slots : slots.slice(0, LINES);
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
            <SlotLine key={one.at + one.kind} shown={one} onRun={() => ask(one.at)} />
          ))}
        </tbody>
      </table>
      {slots.length > shown.length && (
        <Button kind="quiet" className="mt-1" onClick={() => showWhole(true)}>
          {words.moreSlots(slots.length - shown.length)}
        </Button>
      )}
      {asked !== null && <ScheduleVerbDialog verb="run" schedule={schedule} slotAt={asked} onClose={() => ask(null)} />}
    </>
  );
}

function SlotLine({ shown, onRun }: { readonly shown: ShownSlot; readonly onRun: () => void }) {
  const { at, kind, slot } = shown;
  const zone = useZone();
  const mayRun = useMay('schedules') && kind === 'skipped';
  const pause = slot?.pause ?? null;
  const reason = pause === null ? words.reasons[slot?.reason ?? ''] : words.missedByPause(pause.by, pause.reason);
  return (
    <tr className="h-8 border-b border-line/70">
      <td className="pr-3 whitespace-nowrap">
        <Moment at={at} />
      </td>
      <td
        className="w-full max-w-0 truncate pr-3 max-md:break-words max-md:whitespace-normal"
        title={reason ?? words.slotWords[kind]}
      >
        <span aria-hidden="true" className="mr-2 inline-flex h-3.5 w-1.5 items-end align-[-2px]">
          <span className={classNames('w-full rounded-[1px]', lookOf(kind))} />
        </span>
        <span className="font-medium">{words.slotKinds[kind]}</span>
        {(kind !== 'fired' || reason !== undefined) && (
          <span className="ml-2 text-soft">{reason ?? words.slotWords[kind]}</span>
        )}
      </td>
      <td className="pr-3 text-right whitespace-nowrap text-soft max-md:hidden">
        {slot?.outcome === 'fired' && formatShortDuration(slot.lateMs)}
      </td>
      <td className="text-right whitespace-nowrap">
        {mayRun && (
          <Button kind="quiet" aria-label={words.runSlotOf(formatMoment(new Date(at), zone))} onClick={onRun}>
            {words.runSlot}
          </Button>
        )}
        {slot !== null && slot.runId !== null && (
          <span className="inline-flex items-center gap-2">
            {slot.runStatus !== null && (
              <span className="max-md:hidden">
                <StatusBadge status={slot.runStatus as Status} />
              </span>
            )}
            <Link to="/jobs/$id" params={{ id: slot.runId }} className="font-mono text-xs hover:underline">
              {slot.runId}
            </Link>
          </span>
        )}
      </td>
    </tr>
  );
}

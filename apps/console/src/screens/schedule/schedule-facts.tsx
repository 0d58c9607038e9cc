import { formatFilter } from '@duework/filter';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schedule } from '../../api/use-schedules.js';
import { texts } from '../../texts/texts.js';
import { formatDuration } from '../../time/format-duration.js';
import { Moment } from '../../ui/marks/moment.js';

const words = texts.schedules.fact;
const LINK = 'break-all linked';

/** What a schedule is made of; what others share leads to them. */
export function ScheduleFacts({ schedule }: { readonly schedule: Schedule }) {
  const { type, key, lastRunId, splayMs } = schedule;
  return (
    <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1.5 text-sm">
      <Fact name={words.type}>
        <Filtered field="type" value={type}>
          {type}
        </Filtered>
      </Fact>
      <Fact name={words.version}>{schedule.version}</Fact>
      <Fact name={words.zone}>{schedule.timeZone}</Fact>
      {schedule.startsAt !== null && (
        <Fact name={words.startsAt}>
          <Moment at={schedule.startsAt} />
        </Fact>
      )}
      {schedule.endsAt !== null && (
        <Fact name={words.endsAt}>
          <Moment at={schedule.endsAt} />
        </Fact>
      )}
      {splayMs > 0 && <Fact name={words.splay}>{formatDuration(splayMs)}</Fact>}
      <Fact name={words.source}>{texts.schedules.sources[schedule.source]}</Fact>
      {lastRunId !== null && (
        <Fact name={words.lastRun}>
          <Link to="/jobs/$id" params={{ id: lastRunId }} className={`${LINK} font-mono text-xs`}>
            {lastRunId}
          </Link>
        </Fact>
      )}
      <Fact name={words.jobs}>
        <Filtered field="schedule" value={key}>
          {words.jobsLink}
        </Filtered>
      </Fact>
      <Fact name={words.createdAt}>
        <Moment at={schedule.createdAt} />
      </Fact>
      <Fact name={words.updatedAt}>
        <Moment at={schedule.updatedAt} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

interface FilteredProps {
  readonly field: 'type' | 'schedule';
  readonly value: string;
  readonly children: ReactNode;
}

function Filtered({ field, value, children }: FilteredProps) {
  const filter = formatFilter({ terms: [{ field, isNot: false, values: [value] }] });
  return (
    <Link to="/jobs" search={{ filter, cursor: undefined, columns: undefined }} className={LINK}>
      {children}
    </Link>
  );
}

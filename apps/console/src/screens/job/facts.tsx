import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useJobDueTime } from '../../api/use-job-due-time.js';
import { readTraceId } from '../../links/fill-link.js';
import { OwnLinks } from '../../links/own-links.js';
import { texts } from '../../texts/texts.js';
import { GateLink } from '../../ui/gate-link.js';
import { FilterLink } from '../../ui/filter-link.js';
import { Moment } from '../../ui/marks/moment.js';
import type { JobDetail } from './use-job.js';

const words = texts.job.fact;

/** What a job is made of; what others share leads to them. */
export function Facts({ job, isSuspended }: { readonly job: JobDetail; readonly isSuspended: boolean }) {
  const { id, type, queue, worker: workerId } = job;
  const traceId = readTraceId(job.meta?.['traceparent']);
  const dueTime = useJobDueTime(id);
  return (
    <>
      <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1.5 text-sm">
        <Fact name={words.type}>
          <FilterLink fields={{ type: job.type }} className="break-all">
            {job.type}
          </FilterLink>
        </Fact>
        <Fact name={words.version}>{job.version}</Fact>
        <Fact name={words.queue}>
          <FilterLink fields={{ queue: job.queue }} className="break-all">
            {job.queue}
          </FilterLink>
        </Fact>
        <Fact name={words.priority}>{job.priority}</Fact>
        <Fact name={words.attempts}>{words.ofAttempts(job.attempts, job.maxAttempts)}</Fact>
        <Fact name={words.createdAt}>
          <Moment at={job.createdAt} />
        </Fact>
        {!isSuspended && (
          <Fact name={words.runAt}>
            <Moment at={job.runAt} />
          </Fact>
        )}
        {job.claimedAt !== null && (
          <Fact name={words.claimedAt}>
            <Moment at={job.claimedAt} />
          </Fact>
        )}
        {job.finishedAt !== null && (
          <Fact name={words.finishedAt}>
            <Moment at={job.finishedAt} />
          </Fact>
        )}
        {job.worker !== null && (
          <Fact name={words.worker}>
            <FilterLink fields={{ worker: job.worker }} className="break-all">
              {job.worker}
            </FilterLink>
          </Fact>
        )}
        {job.lockedUntil !== null && (
          <Fact name={words.lockedUntil}>
            <Moment at={job.lockedUntil} />
          </Fact>
        )}
        {job.heldBy !== null && (
          <Fact name={words.heldBy}>
            <GateLink gate={job.heldBy} />
          </Fact>
        )}
        {job.batch !== null && (
          <Fact name={words.batch}>
            <FilterLink fields={{ batch: job.batch }} className="font-mono text-xs break-all">
              {job.batch}
            </FilterLink>
          </Fact>
        )}
        <Gates job={job} />
        {job.idempotencyKey !== null && (
          <Fact name={words.key}>
            <FilterLink fields={{ type, key: job.idempotencyKey }} className="font-mono text-xs break-all">
              {job.idempotencyKey}
            </FilterLink>
          </Fact>
        )}
        {job.releases > 0 && <Fact name={words.releases}>{job.releases}</Fact>}
        {job.snoozes > 0 && <Fact name={words.snoozes}>{job.snoozes}</Fact>}
        {dueTime && (
          <Fact name={words.schedule}>
            <Link to="/schedules/$key" params={{ key: dueTime.scheduleKey }} className="break-all linked">
              {dueTime.scheduleKey}
            </Link>
            <span className="block text-xs text-faint">
              {words.dueTime} <Moment at={dueTime.dueAt} />
            </span>
          </Fact>
        )}
        {traceId !== null && (
          <Fact name={words.trace}>
            <span className="font-mono text-xs break-all">{traceId}</span>
          </Fact>
        )}
        <Fact name={words.fence}>{job.fence}</Fact>
      </dl>
      <div className="mt-3">
        <OwnLinks where="job" values={{ id, type, queue, traceId, workerId }} />
      </div>
    </>
  );
}

/** The keys at which there has to be room before it starts, and how much of each it takes. */
function Gates({ job: { gates = [] } }: { readonly job: JobDetail }) {
  if (gates.length === 0) return null;
  return (
    <Fact name={words.gates}>
      <ul>
        {gates.map(({ key, units }) => (
          <li key={key}>
            <GateLink gate={key} />
            {units > 1 && <span className="text-soft"> {texts.flow.units(units)}</span>}
          </li>
        ))}
      </ul>
    </Fact>
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

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatFilter } from '@duework/filter';
import { texts } from '../../texts/texts.js';
import { Moment } from '../../ui/moment.js';
import type { JobDetail } from './use-job.js';

const words = texts.job.fact;

/** What a job is made of; what others share leads to them. */
export function Facts({ job }: { readonly job: JobDetail }) {
  const traceId = job.meta?.['traceparent']?.split('-')[1];
  return (
    <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1.5 text-sm">
      <Fact name={words.type}>
        <Filtered field="type" value={job.type} />
      </Fact>
      <Fact name={words.version}>{job.version}</Fact>
      <Fact name={words.queue}>
        <Filtered field="queue" value={job.queue} />
      </Fact>
      <Fact name={words.priority}>{job.priority}</Fact>
      <Fact name={words.attempts}>{words.ofAttempts(job.attempts, job.maxAttempts)}</Fact>
      <Fact name={words.createdAt}>
        <Moment at={job.createdAt} />
      </Fact>
      <Fact name={words.runAt}>
        <Moment at={job.runAt} />
      </Fact>
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
          <Filtered field="worker" value={job.worker} />
        </Fact>
      )}
      {job.lockedUntil !== null && (
        <Fact name={words.lockedUntil}>
          <Moment at={job.lockedUntil} />
        </Fact>
      )}
      {job.idempotencyKey !== null && (
        <Fact name={words.key}>
          <span className="font-mono text-xs break-all">{job.idempotencyKey}</span>
        </Fact>
      )}
      {job.snoozes > 0 && <Fact name={words.snoozes}>{job.snoozes}</Fact>}
      {traceId !== undefined && (
        <Fact name={words.trace}>
          <span className="font-mono text-xs break-all">{traceId}</span>
        </Fact>
      )}
      <Fact name={words.fence}>{job.fence}</Fact>
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

function Filtered({ field, value }: { readonly field: 'type' | 'queue' | 'worker'; readonly value: string }) {
  const filter = formatFilter({ terms: [{ field, isNot: false, values: [value] }] });
  return (
    <Link
      to="/jobs"
      search={{ filter, cursor: undefined, columns: undefined }}
      className="break-all underline decoration-line-strong underline-offset-3 hover:decoration-ink"
    >
      {value}
    </Link>
  );
}

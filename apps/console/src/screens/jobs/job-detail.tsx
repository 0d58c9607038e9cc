import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { formatDuration } from '../../time/format-duration.js';
import { useNow } from '../../time/use-now.js';
import { GateLink } from '../../ui/gate-link.js';
import { errorName } from '../../ui/error-name.js';
import { isHeld } from '../../ui/marks/job-status.js';
import { Progress, readProgress } from '../../ui/marks/progress.js';

/** Whether there is anything to say of a job. */
export const hasDetail = ({ status, snoozes, idempotencyKey, heldBy }: Schemas['ListedJob']): boolean =>
  status !== 'queued' || heldBy !== null || snoozes > 0 || idempotencyKey !== null;

/** In one line what somebody who goes through a list wants to know of a job. */
export function JobDetail({ job }: { readonly job: Schemas['ListedJob'] }) {
  return job.heldBy === null ? <Detail job={job} /> : <HeldDetail job={job} gate={job.heldBy} />;
}

function HeldDetail({ job, gate }: { readonly job: Schemas['ListedJob']; readonly gate: string }) {
  const now = useNow();
  if (!isHeld(job, now)) return <Detail job={job} />;
  return (
    <span className="text-soft">
      {texts.jobs.details.at} <GateLink gate={gate} />
    </span>
  );
}

function Detail({ job }: { readonly job: Schemas['ListedJob'] }) {
  const words = texts.jobs.details;
  switch (job.status) {
    case 'failed':
    case 'dead':
      return <ErrorLine job={job} />;
    case 'running':
      if (job.cancelRequestedAt !== null) return words.cancelling;
      return readProgress(job.progress) === null ? (
        <span className="text-soft">{job.worker}</span>
      ) : (
        <Progress value={job.progress} />
      );
    case 'cancelled':
      return (
        <span className="text-soft">
          {words.cancelledBy(job.cancelRequestedBy ?? words.somebody)}
          {job.cancelReason !== null && `: ${job.cancelReason}`}
        </span>
      );
    case 'succeeded':
      return job.claimedAt === null || job.finishedAt === null ? null : (
        <span className="text-soft">
          {words.took(formatDuration(Date.parse(job.finishedAt) - Date.parse(job.claimedAt)))}
        </span>
      );
    case 'queued':
      return (
        <>
          {job.snoozes > 0 && <span className="mr-2 text-soft">{words.snoozed(job.snoozes)}</span>}
          <span className="font-mono text-xs text-faint">{job.idempotencyKey}</span>
        </>
      );
  }
}

function ErrorLine({ job }: { readonly job: Schemas['ListedJob'] }) {
  const code = errorName(job.errorCode, job.errorType);
  return (
    <>
      {code !== null && <code className="mr-2 font-mono text-xs font-medium text-dead">{code}</code>}
      <span className="text-soft">{job.lastError}</span>
    </>
  );
}

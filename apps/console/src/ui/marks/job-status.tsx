import type { Schemas } from '../../api/api-types.js';
import { useNow } from '../../time/use-now.js';
import { StatusBadge } from './status-badge.js';

interface JobStatusProps {
  readonly job: Pick<Schemas['ListedJob'], 'status' | 'heldBy' | 'runAt' | 'isSuspended'>;
  readonly isLarge?: boolean;
}

/** The status of a job; of one that is due and waits at a gate, that it is held, and of one whose handler waits, that it does. */
export function JobStatus({ job, isLarge = false }: JobStatusProps) {
  if (job.isSuspended) return <StatusBadge status="waiting" isLarge={isLarge} />;
  return job.heldBy === null ? (
    <StatusBadge status={job.status} isLarge={isLarge} />
  ) : (
    <HeldStatus job={job} isLarge={isLarge} />
  );
}

function HeldStatus({ job, isLarge = false }: JobStatusProps) {
  const now = useNow();
  return <StatusBadge status={isHeld(job, now) ? 'held' : job.status} isLarge={isLarge} />;
}

/** Whether it would run, if it were not for a gate. */
export const isHeld = ({ heldBy, runAt }: JobStatusProps['job'], now: number): boolean =>
  heldBy !== null && Date.parse(runAt) <= now;

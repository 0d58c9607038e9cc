import { Link } from '@tanstack/react-router';
import { texts } from '../../texts/texts.js';
import { JobStatus } from '../../ui/marks/job-status.js';
import { Age } from '../../ui/marks/moment.js';
import type { JobDetail } from '../job/use-job.js';

const words = texts.compare;

interface SidesProps {
  readonly one: JobDetail;
  readonly other: JobDetail;
  /** It was not asked for by its id. */
  readonly isLast: boolean;
}

/** The two jobs, each with its status. */
export function Sides({ one, other, isLast }: SidesProps) {
  return (
    <div className="mt-4 grid grid-cols-2 gap-3 max-md:grid-cols-1">
      <Side title={words.one} job={one} />
      <Side title={isLast ? `${words.other} ${words.last}` : words.other} job={other} />
    </div>
  );
}

function Side({ title, job }: { readonly title: string; readonly job: JobDetail }) {
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface px-4 py-3">
      <p className="text-xs text-faint">{title}</p>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
        <JobStatus job={job} />
        <Link to="/jobs/$id" params={{ id: job.id }} className="font-mono text-sm linked">
          {job.id}
        </Link>
        <span className="text-soft">
          <Age at={job.finishedAt ?? job.createdAt} />
        </span>
      </p>
      {job.status !== 'succeeded' && job.lastError !== null && (
        <p className="mt-1.5 line-clamp-3 break-words text-dead">
          <code className="font-mono text-xs">{job.errorCode}</code> {job.lastError}
        </p>
      )}
    </section>
  );
}

import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/api-types.js';

/** A job's id, which leads to its screen. */
export function JobLink({ job }: { readonly job: Schemas['ListedJob'] }) {
  return (
    <Link to="/jobs/$id" params={{ id: job.id }} data-job={job.id} className="font-mono text-xs hover:underline">
      {job.id}
    </Link>
  );
}

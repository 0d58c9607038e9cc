import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { formatShortDuration } from '../../time/format-duration.js';
import { useNow } from '../../time/use-now.js';
import { Age } from '../../ui/marks/moment.js';

/** The moment that matters in its status: when it is due, since when it runs, when it ended. */
export function JobWhen({ job }: { readonly job: Schemas['ListedJob'] }) {
  const words = texts.jobs.whens;
  switch (job.status) {
    case 'queued':
      return (
        <>
          {words.due} <Age at={job.runAt} />
        </>
      );
    case 'failed':
      return (
        <>
          {words.retry} <Age at={job.runAt} />
        </>
      );
    case 'running':
      return <Running since={job.claimedAt ?? job.runAt} />;
    default:
      return <Age at={job.finishedAt ?? job.createdAt} />;
  }
}

function Running({ since }: { readonly since: string }) {
  const now = useNow();
  return texts.jobs.whens.running(formatShortDuration(Math.max(0, now - Date.parse(since))));
}

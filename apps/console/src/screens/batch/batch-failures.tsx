import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Batch } from '../../api/batch-queries.js';
import { callApi } from '../../api/call-api.js';
import { BulkDialog } from '../../bulk/bulk-dialog.js';
import { BulkProgress } from '../../bulk/bulk-progress.js';
import { useFollowedAction } from '../../bulk/followed-action.js';
import { useMay } from '../../session/use-principal.js';
import { useIsDone } from '../../session/use-refusal.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { Button, buttonLook } from '../../ui/inputs/button.js';
import { Age } from '../../ui/marks/moment.js';

const words = texts.batch;
const FEW = 10;

/** The newest jobs of a batch that are dead, with their errors; all of them can be retried. */
export function BatchFailures({ batch: { id, dead } }: { readonly batch: Batch }) {
  const [isAsking, ask] = useState(false);
  const mayRetry = useMay('operate');
  const hasBulk = useIsDone('startBulkAction');
  const action = useFollowedAction();
  const filter = `batch:${id} status:dead`;
  const { data } = useQuery({
    queryKey: ['jobs', 'of-batch', id, dead],
    queryFn: ({ signal }) => callApi('listJobs', { params: { filter, limit: FEW }, signal }),
    enabled: dead > 0,
  });
  return (
    <section className="mt-6">
      <div className="mb-1.5 flex min-h-7 flex-wrap items-center gap-1.5">
        <h2 className="mr-auto text-sm font-semibold">{words.failures}</h2>
        {dead > 0 && (
          <Link to="/jobs" search={{ filter, cursor: undefined, columns: undefined }} className={buttonLook()}>
            {words.allDead(formatCount(dead))}
          </Link>
        )}
        {dead > 0 && mayRetry && hasBulk && (
          <Button kind="primary" onClick={() => ask(true)}>
            {words.retryDead(formatCount(dead))}
          </Button>
        )}
      </div>
      {action !== null && (
        <div className="mb-2 rounded-md border border-line bg-sunken px-3 py-1.5">
          <BulkProgress key={action} id={action} />
        </div>
      )}
      {dead === 0 ? (
        <p className="text-soft">{words.noFailures}</p>
      ) : (
        <ul aria-label={words.failures} className="divide-y divide-line/70 rounded-md border border-line bg-surface">
          {data?.jobs.map(({ id: job, type, errorCode, lastError, finishedAt }) => (
            <li key={job} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-3 py-1.5">
              <Link to="/jobs/$id" params={{ id: job }} className="font-mono text-xs linked">
                {job}
              </Link>
              <span className="text-soft">{type}</span>
              <span className="min-w-0 flex-1 basis-64 text-dead">
                <span className="line-clamp-2 break-words">
                  <code className="font-mono text-xs">{errorCode}</code> {lastError}
                </span>
              </span>
              <span className="text-xs whitespace-nowrap text-faint">
                <Age at={finishedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {isAsking && <BulkDialog verb="retry" filter={filter} onClose={() => ask(false)} />}
    </section>
  );
}

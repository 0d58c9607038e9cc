import { Link } from '@tanstack/react-router';
import { MOMENTS, type Batch } from '../../api/batch-queries.js';
import { texts } from '../../texts/texts.js';
import { StatusBadge } from '../../ui/marks/status-badge.js';

const words = texts.batch;

/** The jobs that a batch enqueues: when, and which it has. */
export function BatchFollows({ batch: { planned, callbacks } }: { readonly batch: Batch }) {
  const given = MOMENTS.filter((moment) => planned.includes(moment));
  return (
    <section className="mt-6">
      <h2 className="mb-1.5 text-sm font-semibold">{words.follows}</h2>
      {given.length === 0 ? (
        <p className="text-soft">{words.nothingFollows}</p>
      ) : (
        <ul aria-label={words.follows} className="divide-y divide-line/70 rounded-md border border-line bg-surface">
          {given.map((moment) => {
            const job = callbacks[moment];
            return (
              <li key={moment} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
                <StatusBadge
                  status={job === null ? 'queued' : 'succeeded'}
                  words={job === null ? words.pending : words.happened}
                />
                <span>{words.moments[moment]}</span>
                {job !== null && (
                  <Link to="/jobs/$id" params={{ id: job }} className="ml-auto linked">
                    {words.enqueued(job)}
                  </Link>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

import { Link } from '@tanstack/react-router';
import type { Worker } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { formatDuration } from '../../time/format-duration.js';
import { useNow } from '../../time/use-now.js';

const words = texts.workers.runs;
const CELL = 'px-2 py-1 first:pl-3 last:pr-3';

/** What a worker runs now, the longest first. */
export function WorkerRuns({ worker: { name, runs, held, isAtLeast } }: { readonly worker: Worker }) {
  if (runs.length === 0)
    return <p className="border-t border-line/70 px-3 py-2 text-soft">{isAtLeast ? words.unknown : words.none}</p>;
  return (
    <div className="border-t border-line/70">
      <table className="w-full border-collapse" aria-label={words.label(name)}>
        <thead className="text-left text-xs text-faint">
          <tr>
            <th scope="col" className={`${CELL} font-medium`}>
              {words.job}
            </th>
            <th scope="col" className={`${CELL} font-medium`}>
              {words.type}
            </th>
            <th scope="col" className={`${CELL} font-medium max-md:hidden`}>
              {words.queue}
            </th>
            <th scope="col" className={`${CELL} text-right font-medium max-md:hidden`}>
              {words.attempt}
            </th>
            <th scope="col" className={`${CELL} text-right font-medium whitespace-nowrap`}>
              {words.since}
            </th>
            <th scope="col" className={`${CELL} text-right font-medium max-md:hidden`}>
              {words.lease}
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </tbody>
      </table>
      {held > runs.length && <p className="px-3 py-1.5 text-xs text-soft">{words.more(held - runs.length)}</p>}
    </div>
  );
}

function RunRow({ run }: { readonly run: Worker['runs'][number] }) {
  const now = useNow();
  const leaseMs = Date.parse(run.lockedUntil) - now;
  return (
    <tr className="border-t border-line/70 hover:bg-sunken">
      <td className={CELL}>
        <Link to="/jobs/$id" params={{ id: run.id }} className="font-mono text-xs hover:underline">
          {run.id}
        </Link>
      </td>
      <td className={`${CELL} w-1/2 max-w-0 truncate md:w-[30%]`}>{run.type}</td>
      <td className={`${CELL} text-soft max-md:hidden`}>{run.queue}</td>
      <td className={`${CELL} text-right max-md:hidden`}>{run.attempt}</td>
      <td className={`${CELL} text-right whitespace-nowrap`}>
        {formatDuration(Math.max(0, now - Date.parse(run.claimedAt)))}
      </td>
      <td
        className={`${CELL} text-right whitespace-nowrap max-md:hidden ${leaseMs <= 0 ? 'font-medium text-dead' : ''}`}
      >
        {leaseMs > 0 ? formatDuration(leaseMs) : words.expired}
      </td>
    </tr>
  );
}

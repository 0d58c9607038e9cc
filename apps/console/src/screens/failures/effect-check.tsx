import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callApi } from '../../api/call-api.js';
import { useIsDone } from '../../session/use-refusal.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';

const words = texts.failures;
const MOST = 10;

/** Whether jobs of a type did anything twice since a moment, and which are in doubt: once somebody asks. */
export function EffectCheck({ type, since }: { readonly type: string; readonly since: string }) {
  const [isAsked, ask] = useState(false);
  const isDone = useIsDone('checkEffects');
  const { data, error, isFetching } = useQuery({
    queryKey: ['effect-check', type, since],
    queryFn: ({ signal }) => callApi('checkEffects', { params: { type, since }, signal }),
    enabled: isAsked,
  });
  if (!isDone) return null;
  const inDoubt = (data?.doubts ?? []).filter(({ doubt }) => doubt !== 'undone');
  const jobs = [...inDoubt, ...(data?.unrecordedJobs ?? [])].slice(0, MOST);
  return (
    <>
      <Button disabled={isFetching} onClick={() => ask(true)}>
        {words.checkTwice}
      </Button>
      {error !== null && <p className="w-full text-failed">{error.message}</p>}
      {data !== undefined && (
        <div className="w-full" aria-live="polite">
          <p className={data.isProven ? 'text-soft' : 'text-failed'}>{data.sentence}</p>
          <ul>
            {jobs.map((one) => (
              <li key={`${one.jobId} ${'lookFor' in one ? one.lookFor : ''}`} className="text-xs">
                <Link to="/jobs/$id" params={{ id: one.jobId }} className="font-mono hover:underline">
                  {one.jobId}
                </Link>
                {'lookFor' in one && <code className="ml-2 font-mono break-all">{one.lookFor}</code>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

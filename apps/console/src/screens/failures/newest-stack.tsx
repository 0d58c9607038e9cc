import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callForText } from '../../api/call-api.js';
import { texts } from '../../texts/texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { readJob } from '../job/use-job.js';

const words = texts.failures;

/** The stack of the last attempt of a job that has one; nothing until it is known. */
export function NewestStack({ id }: { readonly id: string }) {
  const { data } = useQuery({
    queryKey: ['job', id],
    queryFn: async ({ signal }) => readJob(await callForText('getJob', { params: { id }, signal })),
  });
  const stack = data?.job.attemptHistory.findLast(({ errorStack }) => errorStack !== null)?.errorStack;
  if (stack === undefined || stack === null) return null;
  return (
    <>
      <p className="mt-3 flex items-center gap-1 text-xs text-faint">
        {words.stack}
        <Link to="/jobs/$id" params={{ id }} className="linked font-mono">
          {id}
        </Link>
        <CopyButton text={stack} label={`${texts.copy.copy}: ${texts.job.stack}`} />
      </p>
      <pre
        tabIndex={0}
        aria-label={texts.job.stack}
        className="max-h-60 overflow-auto font-mono text-xs leading-5 text-soft"
      >
        {stack}
      </pre>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/api-types.js';
import { callApi } from '../../api/call-api.js';
import { useIsDone } from '../../session/use-refusal.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { Button } from '../../ui/inputs/button.js';

type Version = Schemas['SampledVersion'];

const words = texts.contracts.parses;
/** It is looked at when somebody comes, or asks: parsing takes the server's time. */
const STALE_MS = 60_000;

/** Whether the code of the server would still take what waits of a type. */
export function Parses({ type }: { readonly type: string }) {
  return useIsDone('checkPayloads') ? <Parsed type={type} /> : null;
}

function Parsed({ type }: { readonly type: string }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['parses', type],
    queryFn: ({ signal }) => callApi('checkPayloads', { params: { type }, signal }),
    staleTime: STALE_MS,
    refetchOnWindowFocus: false,
    retry: false,
  });
  return (
    <section className="mt-6" aria-labelledby="parses" aria-busy={isFetching}>
      <div className="flex flex-wrap items-center gap-x-3">
        <h2 id="parses" className="text-sm font-semibold">
          {words.title}
        </h2>
        <Button kind="quiet" disabled={isFetching} onClick={() => void refetch()}>
          {words.again}
        </Button>
      </div>
      <p className="text-xs text-faint">{words.intro}</p>
      {error !== null && <p className="mt-1 text-dead">{error.message}</p>}
      {data?.versions.length === 0 && <p className="mt-1.5 text-soft">{words.nothing}</p>}
      {data?.versions.toReversed().map((one) => (
        <ParsedVersion key={one.version} version={one} />
      ))}
      {data?.isComplete === false && (
        <p className="mt-1.5 text-xs text-faint">{words.some(formatCount(data.looked))}</p>
      )}
    </section>
  );
}

function ParsedVersion({ version: one }: { readonly version: Version }) {
  const { version, state, checked, fits, sealed, faulty, faults } = one;
  const isGood = state === 'read' && faulty === 0 && sealed === 0;
  return (
    <div className="mt-2">
      <p className="flex flex-wrap items-baseline gap-x-2.5">
        <span className="font-medium">{texts.contracts.version(version)}</span>
        <span className="text-soft">
          {state === 'read' && !isGood ? words.fits(fits, words.checked(checked)) : words.checked(checked)}
        </span>
        {isGood && <span className="text-succeeded">✓ {words.all}</span>}
        {faulty > 0 && <span className="font-medium text-dead">✗ {words.faulty(faulty)}</span>}
        {sealed > 0 && <span className="text-soft">{words.sealed(sealed)}</span>}
        {state !== 'read' && (
          <span className={state === 'older_version' ? 'text-dead' : 'text-soft'}>{words.states[state]}</span>
        )}
      </p>
      {faults.length > 0 && <Faults faults={faults} version={version} />}
    </div>
  );
}

function Faults({ faults, version }: { readonly faults: Version['faults']; readonly version: number }) {
  const label = `${texts.contracts.version(version)}: ${words.fault}`;
  return (
    // what scrolls has to be scrolled by keys, too
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      <table className="mt-1 w-full border-collapse" aria-label={label}>
        <thead>
          <tr className="border-b border-line text-left text-xs text-faint">
            {[words.where, words.fault, words.jobs, words.example].map((head) => (
              <th key={head} scope="col" className="py-1.5 pr-4 font-medium whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {faults.map(({ code, path, jobs, jobId }) => (
            <tr key={code + path} className="h-8.5 border-b border-line/70">
              <td className="pr-4">
                {path === '' ? words.whole : <code className="font-mono text-xs whitespace-nowrap">{path}</code>}
              </td>
              <td className="pr-4 text-soft">{words.codes[code]}</td>
              <td className="pr-4">{formatCount(jobs)}</td>
              <td>
                <Link to="/jobs/$id" params={{ id: jobId }} className="linked">
                  {jobId}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

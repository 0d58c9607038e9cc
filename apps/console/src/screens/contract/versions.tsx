import { formatFilter, type FilterStatus } from '@duework/filter';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/api-types.js';
import { callApi } from '../../api/call-api.js';
import { useQueueBehind } from '../../session/use-refusal.js';
import { texts } from '../../texts/texts.js';
import { Age } from '../../ui/marks/moment.js';
import { Readers } from '../../ui/readers.js';
import { StatusShape } from '../../ui/marks/status-badge.js';

const words = texts.contracts;
const EVERY_MS = 5_000;
/** More versions than that are older than anything that waits. */
const COUNTED_VERSIONS = 12;

interface VersionsProps {
  readonly contract: Schemas['Contract'];
  readonly shown: number;
}

/** Each version with what waits for it and who reads it, the newest first. */
export function Versions({ contract: { type, versions }, shown }: VersionsProps) {
  return (
    // what scrolls has to be scrolled by keys, too
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={words.versionsTitle}>
      <table className="w-full border-collapse" aria-label={words.versionsTitle}>
        <thead>
          <tr className="border-b border-line text-left text-xs text-faint">
            {[words.versions, words.waiting, words.running, words.dead, words.readers, words.firstSeen].map((head) => (
              <th key={head} scope="col" className="py-1.5 pr-4 font-medium whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {versions
            .toReversed()
            .slice(0, COUNTED_VERSIONS)
            .map((one) => (
              <tr key={one.version} className="h-8.5 border-b border-line/70 whitespace-nowrap">
                <td className="pr-4">
                  <Link
                    to="/contracts/$type"
                    params={{ type }}
                    search={{ version: String(one.version) }}
                    aria-current={one.version === shown ? 'true' : undefined}
                    className={`hover:underline ${one.version === shown ? 'font-semibold' : ''}`}
                  >
                    {words.version(one.version)}
                  </Link>
                </td>
                <td className="pr-4">
                  <Count type={type} version={one.version} statuses={['queued', 'failed']} />
                </td>
                <td className="pr-4">
                  <Count type={type} version={one.version} statuses={['running']} />
                </td>
                <td className="pr-4">
                  <Count type={type} version={one.version} statuses={['dead']} />
                </td>
                <td className="pr-4">
                  <Readers workers={one.workers} />
                </td>
                <td className="text-soft">
                  <Age at={one.firstSeenAt} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

/** What waits for a version that no live worker reads, said where it is seen first. */
export function Stranded({ contract: { type, versions } }: Pick<VersionsProps, 'contract'>) {
  return versions
    .filter(({ workers }) => workers?.length === 0)
    .slice(-COUNTED_VERSIONS)
    .map(({ version }) => <StrandedVersion key={version} type={type} version={version} />);
}

function StrandedVersion({ type, version }: { readonly type: string; readonly version: number }) {
  const { data } = useCount(printFilter(type, version, ['queued', 'failed']));
  if (data === undefined || data.count === 0) return null;
  return (
    <div role="status" className="mt-3 rounded-md bg-failed-wash px-3 py-2">
      <p className="font-medium text-failed">{words.strandedTitle(data.text, version)}</p>
      <p className="text-soft">{words.strandedFix}</p>
    </div>
  );
}

interface CountProps {
  readonly type: string;
  readonly version: number;
  readonly statuses: readonly FilterStatus[];
}

function Count({ type, version, statuses }: CountProps) {
  const filter = printFilter(type, version, statuses);
  const { data, error } = useCount(filter);
  if (useQueueBehind()?.filters !== null) return <span className="text-faint">{words.unknown}</span>;
  if (data === undefined) return <span className="text-faint">{error === null ? '…' : words.unknown}</span>;
  if (data.count === 0) return <span className="text-faint">0</span>;
  return (
    <Link
      to="/jobs"
      search={{ filter, cursor: undefined, columns: undefined }}
      className="inline-flex items-center gap-1.5 linked"
    >
      <StatusShape status={statuses[0]!} className="animate-none!" />
      {data.text}
    </Link>
  );
}

function useCount(filter: string) {
  return useQuery({
    queryKey: ['job-count', filter],
    queryFn: ({ signal }) => callApi('countJobs', { params: { filter }, signal }),
    // of a version, and of several statuses
    enabled: useQueueBehind()?.filters === null,
    refetchInterval: ({ state }) => (state.error === null ? EVERY_MS : false),
    retry: false,
  });
}

const printFilter = (type: string, version: number, values: readonly FilterStatus[]): string =>
  `${formatFilter({
    terms: [
      { field: 'status', isNot: false, values },
      { field: 'type', isNot: false, values: [type] },
    ],
  })} version:${version}`;

import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.js';
import { useUnserved, useWorkers } from '../../api/now-queries.js';
import { snippets } from '../../texts/snippets.js';
import { texts } from '../../texts/texts.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { ChangedSlots } from './changed-slots.js';
import { NobodyRuns } from './nobody-runs.js';
import { WorkerCard } from './worker-card.js';

const words = texts.workers;
const CONTRACTS_EVERY_MS = 30_000;

/** The types that nobody runs, then each worker that lives and what it does now. */
export function WorkersScreen() {
  const { data, error, refetch } = useWorkers();
  const unserved = useUnserved().data?.unserved ?? [];
  const contracts = useQuery({
    queryKey: ['contracts'],
    queryFn: ({ signal }) => callApi('listContracts', { signal }),
    refetchInterval: CONTRACTS_EVERY_MS,
  }).data?.contracts;
  usePageTitle(words.title);
  if (data === undefined) return error === null ? null : <ProblemState error={error} onRetry={() => void refetch()} />;
  const { workers } = data;
  const newest = new Map((contracts ?? []).map(({ type, versions }) => [type, versions.at(-1)?.version ?? 0] as const));
  return (
    <div className="mx-auto max-w-7xl px-5 py-4 max-md:px-3">
      <h1 className="mb-3 text-base font-semibold">{words.title}</h1>
      <ChangedSlots workers={workers} />
      <NobodyRuns unserved={unserved} contracts={contracts ?? []} workers={workers} />
      {workers.length === 0 ? (
        <StateBox title={words.emptyTitle}>
          <p>{words.emptyHint}</p>
          <CopyableLines text={snippets.startWorker} />
        </StateBox>
      ) : (
        <ul className="flex flex-col gap-3">
          {workers.map((worker) => (
            <WorkerCard key={worker.name} worker={worker} newest={newest} />
          ))}
        </ul>
      )}
    </div>
  );
}

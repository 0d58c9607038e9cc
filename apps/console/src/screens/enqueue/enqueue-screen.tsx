import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { callForText } from '../../api/call-api.js';
import { useContracts } from '../../api/use-contracts.js';
import { readMembers } from '../../json/read-members.js';
import { useMayEnqueue } from '../../session/use-may-enqueue.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { NoContract } from '../contract/no-contract.js';
import { EnqueueForm } from './enqueue-form.js';

/** What stands in place of a value that this key may not see; it must not be enqueued as the value. */
const REDACTED = '"[sensitive]"';

/** A form made from the schema of a type; `?like=<id>` begins with the payload of a job. */
export function EnqueueScreen() {
  const { type } = useParams({ from: '/contracts/$type/enqueue' });
  const { like, batch } = useSearch({ from: '/contracts/$type/enqueue' });
  const { history } = useRouter();
  const contracts = useContracts();
  const mayEnqueue = useMayEnqueue(type);
  const job = useQuery({
    queryKey: ['payload', like],
    queryFn: async ({ signal }) => readMembers(await callForText('getJob', { params: { id: like! }, signal })),
    enabled: like !== undefined,
    // a form that somebody has begun to fill in does not change under them
    staleTime: Infinity,
  });
  usePageTitle(texts.enqueue.title(type));
  useShortcuts([{ keys: 'u', words: texts.keys.back, group: 'here', run: () => history.back() }]);
  const error = job.error ?? (contracts.data === undefined ? contracts.error : null);
  if (error !== null) return <ProblemState error={error} onRetry={() => void contracts.refetch()} />;
  if (contracts.data === undefined || (like !== undefined && job.data === undefined)) return null;
  const contract = contracts.data.find((one) => one.type === type);
  if (contract === undefined) return <NoContract />;
  if (!mayEnqueue) return <StateBox title={texts.states.missingScope}>{texts.contracts.mayNot}</StateBox>;
  const payload = job.data?.get('payload');
  const isRedacted = payload?.includes(REDACTED) === true;
  return (
    <div className="mx-auto max-w-6xl px-6 py-5 max-md:px-4">
      <header>
        <h1 className="text-lg font-semibold tracking-tight">{texts.enqueue.title(type)}</h1>
        <p className="text-soft">
          <Link to="/contracts/$type" params={{ type }} search={{ version: undefined }} className="linked">
            {texts.contracts.version(contract.versions.at(-1)!.version)}
          </Link>
          {like !== undefined && ` · ${texts.enqueue.like(like)}`}
        </p>
        {batch !== undefined && <p className="mt-1 font-medium">{texts.batch.addTo(batch)}</p>}
        {isRedacted && <p className="mt-1 text-failed">{texts.enqueue.redacted}</p>}
      </header>
      <EnqueueForm
        key={`${type} ${like ?? ''}`}
        contract={contract}
        given={payload?.replaceAll(REDACTED, 'null')}
        batch={batch}
      />
    </div>
  );
}

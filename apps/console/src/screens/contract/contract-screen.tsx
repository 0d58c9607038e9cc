import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router';
import type { Schemas } from '../../api/api-types.js';
import { useContracts } from '../../api/use-contracts.js';
import { JsonText } from '../../json/json-text.js';
import { useMayEnqueue } from '../../session/use-may-enqueue.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { buttonLook } from '../../ui/inputs/button.js';
import { ProblemState } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { Defaults } from './defaults.js';
import { FieldTable } from './field-table.js';
import { NoContract } from './no-contract.js';
import { Parses } from './parses.js';
import { Stranded, Versions } from './versions.js';

const words = texts.contracts;

/** One type as documentation made from its schema: what it takes, its versions, and what waits for each. */
export function ContractScreen() {
  const { type } = useParams({ from: '/contracts/$type' });
  const { history } = useRouter();
  const { data, error, refetch } = useContracts();
  usePageTitle(type);
  useShortcuts([{ keys: 'u', words: texts.keys.back, group: 'here', run: () => history.back() }]);
  if (data === undefined) return error !== null && <ProblemState error={error} onRetry={() => void refetch()} />;
  const contract = data.find((one) => one.type === type);
  return contract === undefined ? <NoContract /> : <Shown contract={contract} />;
}

function Shown({ contract }: { readonly contract: Schemas['Contract'] }) {
  const { type, versions, defaults } = contract;
  const { version: wanted } = useSearch({ from: '/contracts/$type' });
  const at = versions.findIndex(({ version }) => String(version) === wanted);
  const shown = versions.at(at)!;
  const before = versions[versions.indexOf(shown) - 1];
  const mayEnqueue = useMayEnqueue(type);
  return (
    <div className="mx-auto max-w-6xl px-6 py-5 max-md:px-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="flex min-w-0 items-baseline gap-2.5 text-lg font-semibold tracking-tight">
          <span className="truncate">{type}</span>
          <span className="text-sm font-normal whitespace-nowrap text-soft">{words.version(shown.version)}</span>
        </h1>
        <div className="ml-auto">
          {mayEnqueue && (
            <Link
              to="/contracts/$type/enqueue"
              params={{ type }}
              search={{ like: undefined, batch: undefined }}
              className={buttonLook('primary')}
            >
              {words.enqueue}
            </Link>
          )}
        </div>
      </header>
      {typeof shown.payloadSchema['description'] === 'string' && (
        <p className="mt-2 max-w-prose text-soft">{shown.payloadSchema['description']}</p>
      )}
      <Stranded contract={contract} />
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)_19rem] gap-x-8 max-lg:grid-cols-1">
        <div className="min-w-0">
          <h2 className="mb-1.5 text-sm font-semibold">{words.payload}</h2>
          <FieldTable
            version={shown.version}
            schema={shown.payloadSchema}
            before={before === undefined ? null : { version: before.version, schema: before.payloadSchema }}
          />
          <h2 className="mt-6 mb-1.5 text-sm font-semibold">{words.versionsTitle}</h2>
          <Versions contract={contract} shown={shown.version} />
          <Parses type={type} />
          <h2 className="mt-6 mb-1.5 text-sm font-semibold">{words.schema}</h2>
          <JsonText json={JSON.stringify(shown.payloadSchema)} label={words.schema} />
        </div>
        <aside className="max-lg:mt-6">
          <h2 className="mb-2 text-xs font-medium text-faint">{words.defaults}</h2>
          <Defaults defaults={defaults} />
        </aside>
      </div>
    </div>
  );
}

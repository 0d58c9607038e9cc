import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, type MouseEvent } from 'react';
import type { Schemas } from '../../api/api-types.js';
import { useContracts } from '../../api/use-contracts.js';
import { readField } from '../../schema/read-field.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { snippets } from '../../texts/snippets.js';
import { texts } from '../../texts/texts.js';
import { formatDuration } from '../../time/format-duration.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { Age } from '../../ui/marks/moment.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { Readers } from '../../ui/readers.js';
import { usePageTitle } from '../../ui/use-page-title.js';

const words = texts.contracts;
const HEADS = [
  ['type', 'md:w-52'],
  ['versions', 'md:w-24'],
  ['readers', 'md:w-36'],
  ['fields', ''],
  ['queue', 'md:w-28'],
  ['attempts', 'md:w-24'],
  ['timeout', 'md:w-24'],
  ['seen', 'md:w-28'],
] as const;

/** Every type that can be enqueued. */
export function ContractsScreen() {
  const { data, error, refetch } = useContracts();
  usePageTitle(words.title);
  if (data === undefined) return error !== null && <ProblemState error={error} onRetry={() => void refetch()} />;
  if (data.length === 0)
    return (
      <StateBox title={words.noneTitle}>
        <p>{words.noneHint}</p>
        <CopyableLines text={snippets.defineJob} />
      </StateBox>
    );
  return (
    <>
      <header className="border-b border-line px-5 pt-4 pb-3 max-md:px-4">
        <h1 className="text-lg font-semibold tracking-tight">{words.title}</h1>
        <p className="text-soft">{words.intro}</p>
      </header>
      <Table contracts={data} />
    </>
  );
}

function Table({ contracts }: { readonly contracts: readonly Schemas['Contract'][] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  function go(step: 1 | -1): void {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
  }
  useShortcuts([
    { keys: 'j', words: texts.keys.next, group: 'here', run: () => go(1) },
    { keys: 'k', words: texts.keys.previous, group: 'here', run: () => go(-1) },
  ]);
  return (
    <table role="table" aria-label={words.title} className="w-full table-fixed border-collapse max-md:block">
      <thead role="rowgroup" className="max-md:sr-only">
        <tr role="row" className="border-b border-line text-left text-xs text-faint">
          {HEADS.map(([name, look]) => (
            <th role="columnheader" key={name} scope="col" className={`px-3 py-1.5 font-medium first:pl-5 ${look}`}>
              {words[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body} className="max-md:block">
        {contracts.map((contract) => (
          <Row key={contract.type} contract={contract} />
        ))}
      </tbody>
    </table>
  );
}

const CELL = 'truncate md:h-8.5 md:px-3 md:first:pl-5';

function Row({ contract }: { readonly contract: Schemas['Contract'] }) {
  const { type, defaults, versions } = contract;
  const navigate = useNavigate();
  const newest = versions.at(-1)!;
  const fields = readField(newest.payloadSchema).members;
  function open({ target }: MouseEvent): void {
    if (target instanceof Element && target.closest('a') !== null) return;
    if (getSelection()?.isCollapsed === false) return;
    void navigate({ to: '/contracts/$type', params: { type }, search: { version: undefined } });
  }
  return (
    <tr
      role="row"
      onClick={open}
      className="cursor-pointer border-b border-line/70 hover:bg-sunken has-[a:focus-visible]:bg-accent-wash max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-0.5 max-md:px-4 max-md:py-2.5"
    >
      <td role="cell" className={CELL}>
        <Link
          to="/contracts/$type"
          params={{ type }}
          search={{ version: undefined }}
          data-row={type}
          className="font-medium hover:underline"
        >
          {type}
        </Link>
      </td>
      <td role="cell" className={`${CELL} text-soft max-md:hidden`}>
        {versions.map(({ version }) => version).join(', ')}
      </td>
      <td role="cell" className={CELL}>
        <Readers workers={newest.workers} />
      </td>
      <td role="cell" className={`${CELL} font-mono text-xs text-soft max-md:col-span-2`}>
        {fields.map(({ name, isRequired }) => (isRequired ? name : `${name}?`)).join(', ')}
      </td>
      {defaults === null ? (
        <td role="cell" colSpan={3} className={`${CELL} text-faint max-md:hidden`}>
          {words.notRun}
        </td>
      ) : (
        <>
          <td role="cell" className={`${CELL} max-md:hidden`}>
            {defaults.queue}
          </td>
          <td role="cell" className={`${CELL} max-md:hidden`}>
            {defaults.maxAttempts}
          </td>
          <td role="cell" className={`${CELL} max-md:hidden`}>
            {formatDuration(defaults.timeoutMs)}
          </td>
        </>
      )}
      <td role="cell" className={`${CELL} text-soft max-md:hidden`}>
        <Age at={newest.firstSeenAt} />
      </td>
    </tr>
  );
}

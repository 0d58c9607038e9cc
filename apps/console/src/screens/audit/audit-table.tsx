import { Fragment, useState } from 'react';
import type { Schemas } from '../../api/api-types.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { classNames } from '../../ui/class-names.js';
import { ChevronIcon } from '../../ui/icons.js';
import { Age, Moment } from '../../ui/marks/moment.js';
import type { Hold } from '../../ui/use-hold.js';
import { ChangeLine, ChangeTable } from './changes.js';
import { EntryTarget } from './entry-target.js';
import type { AuditFilters } from './use-audit.js';

interface AuditTableProps {
  readonly entries: readonly Schemas['AuditEntry'][];
  readonly isStale: boolean;
  readonly onFilter: (next: Partial<AuditFilters>) => void;
  /** For the rows: they stay while somebody is in them. */
  readonly holdProps: Hold<HTMLTableSectionElement>['holdProps'];
}

const words = texts.audit;
const HEADS = [
  ['what', 'md:w-52'],
  ['target', 'md:w-60'],
  ['who', 'md:w-52'],
  ['when', 'md:w-28'],
  ['change', ''],
  ['why', 'md:w-64'],
] as const;
const CELL = 'truncate md:h-8.5 md:px-3 md:first:pl-5';

/** Entries as a dense table, and as cards on a phone. An entry opens below itself. */
export function AuditTable({ entries, isStale, onFilter, holdProps }: AuditTableProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  function toggle(id: string): void {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  }
  function go(step: 1 | -1): void {
    const rows = [...(holdProps.ref.current?.querySelectorAll<HTMLElement>('button[data-row]') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    rows[Math.min(rows.length - 1, Math.max(0, at + step))]?.focus();
  }
  useShortcuts([
    { keys: 'j', words: texts.keys.next, group: 'here', run: () => go(1) },
    { keys: 'k', words: texts.keys.previous, group: 'here', run: () => go(-1) },
  ]);
  return (
    <table
      role="table"
      aria-label={words.title}
      className={classNames('w-full table-fixed border-collapse max-md:block', isStale && 'opacity-60')}
    >
      <thead role="rowgroup" className="max-md:sr-only">
        <tr role="row" className="border-b border-line text-left text-xs text-faint">
          {HEADS.map(([name, look]) => (
            <th role="columnheader" key={name} scope="col" className={`px-3 py-1.5 font-medium first:pl-5 ${look}`}>
              {words[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" {...holdProps} className="max-md:block">
        {entries.map((entry) => (
          <Fragment key={entry.id}>
            <tr
              role="row"
              className="border-b border-line/70 hover:bg-sunken has-[button:focus-visible]:bg-accent-wash max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-0.5 max-md:px-4 max-md:py-2.5"
            >
              <td role="cell" className={CELL}>
                <button
                  type="button"
                  data-row={entry.id}
                  aria-expanded={open.has(entry.id)}
                  title={words.open}
                  onClick={() => toggle(entry.id)}
                  className="inline-flex max-w-full items-center gap-1.5 align-middle font-medium"
                >
                  <ChevronIcon className={classNames('-ml-1 shrink-0 text-faint', open.has(entry.id) && 'rotate-90')} />
                  <span className="truncate">{entry.verb.replaceAll('_', ' ')}</span>
                </button>
              </td>
              <td role="cell" className={`${CELL} max-md:row-start-2`}>
                <EntryTarget entry={entry} />
              </td>
              <td role="cell" className={`${CELL} max-md:row-start-2 max-md:text-right`}>
                <button
                  type="button"
                  title={[words.only(entry.by), words.vias[entry.via], entry.from && words.from(entry.from)]
                    .filter(Boolean)
                    .join('\n')}
                  onClick={() => onFilter({ by: entry.by })}
                  className="max-w-full truncate hover:underline"
                >
                  {entry.by}
                </button>
              </td>
              <td role="cell" className={`${CELL} text-soft max-md:col-start-2 max-md:row-start-1`}>
                <Age at={entry.at} />
              </td>
              <td role="cell" className={`${CELL} max-md:col-span-2`}>
                <ChangeLine entry={entry} />
              </td>
              <td role="cell" title={entry.reason ?? undefined} className={`${CELL} text-soft max-md:col-span-2`}>
                {entry.reason}
              </td>
            </tr>
            {open.has(entry.id) && (
              <tr role="row" className="border-b border-line/70 bg-sunken/60 max-md:block">
                <td role="cell" colSpan={HEADS.length} className="px-5 py-3 max-md:block max-md:px-4">
                  <Opened entry={entry} onFilter={onFilter} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Opened({ entry, onFilter }: { readonly entry: Schemas['AuditEntry'] } & Pick<AuditTableProps, 'onFilter'>) {
  const { at, by, via, from, verb, kind, target, reason } = entry;
  const only: readonly (readonly [string, Partial<AuditFilters>])[] = [
    [by, { by }],
    [verb.replaceAll('_', ' '), { verb }],
    [`${kind.replaceAll('_', ' ')} ${target}`, kind === 'job' ? { job: target } : { kind, target }],
  ];
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">
        <Moment at={at} /> · {by} · {words.vias[via]}
        {from !== null && ` ${words.from(from)}`}
        {reason !== null && <span className="block text-ink">{reason}</span>}
      </p>
      {(entry.before !== null || entry.after !== null) && <ChangeTable entry={entry} />}
      <p className="flex flex-wrap gap-2">
        {only.map(([value, filter]) => (
          <button
            key={value}
            type="button"
            onClick={() => onFilter(filter)}
            className="h-7 max-w-full truncate rounded-full border border-line px-3 text-soft hover:border-line-strong hover:text-ink pointer-coarse:h-10"
          >
            {words.only(value)}
          </button>
        ))}
      </p>
    </div>
  );
}

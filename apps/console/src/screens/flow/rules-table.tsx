import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, type MouseEvent } from 'react';
import { readRuleName, type FlowRule } from '../../api/flow-queries.js';
import type { Pause } from '../../api/now-queries.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { classNames } from '../../ui/class-names.js';
import { Clock } from '../../ui/marks/clock.js';
import { Age } from '../../ui/marks/moment.js';
import { Usage } from '../../ui/marks/usage.js';
import { FlowStateBadge } from './flow-state.js';
import { judgeRule } from './judge-rule.js';
import { spellTerms } from './spell-terms.js';
import { Waiting } from './waiting.js';

const words = texts.flow;
/** The API looks at so many keys of a rule. */
const MOST_KEYS = 2_000;
const CELL = 'py-1.5 align-top md:px-3 md:first:pl-5';
/** How wide a column is on a wide screen. */
const COLUMNS = [
  ['state', 'md:w-36'],
  ['rule', 'md:w-[24%]'],
  ['terms', ''],
  ['use', 'md:w-44'],
  ['waiting', 'md:w-36'],
] as const;

interface RulesTableProps {
  readonly rules: readonly FlowRule[];
  readonly pauses: readonly Pause[];
}

/** Rules as a dense table, and as cards on a phone. Sorted by name, so that no row moves. */
export function RulesTable({ rules, pauses }: RulesTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const navigate = useNavigate();
  function go(step: 1 | -1): void {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('a[data-rule]') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
  }
  useShortcuts([
    { keys: 'j', words: texts.keys.next, group: 'here', run: () => go(1) },
    { keys: 'k', words: texts.keys.previous, group: 'here', run: () => go(-1) },
  ]);
  function open(event: MouseEvent, name: string): void {
    const isOfLink = event.target instanceof Element && event.target.closest('a, button') !== null;
    if (isOfLink || event.defaultPrevented || getSelection()?.isCollapsed === false) return;
    void navigate({ to: '/flow/$kind/$name', params: readRuleName(name) });
  }
  return (
    <table role="table" aria-label={words.title} className="w-full table-fixed border-collapse max-md:block">
      <thead role="rowgroup" className="max-md:sr-only">
        <tr role="row" className="border-b border-line text-left text-xs text-faint">
          {COLUMNS.map(([id, look]) => (
            <th
              role="columnheader"
              key={id}
              scope="col"
              className={classNames('px-3 py-1.5 font-medium first:pl-5', look)}
            >
              {words.column[id]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body} className="max-md:block">
        {rules.map((rule) => (
          <tr
            role="row"
            key={rule.name}
            onClick={(event) => open(event, rule.name)}
            className="cursor-pointer border-b border-line/70 hover:bg-sunken has-[a[data-rule]:focus-visible]:bg-accent-wash max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-4 max-md:px-4 max-md:py-2"
          >
            <RuleCells rule={rule} pauses={pauses} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RuleCells({ rule, pauses }: { readonly rule: FlowRule; readonly pauses: readonly Pause[] }) {
  const { name, kind, keys, closed, closedUntil, terms, types, isAtLeast } = rule;
  return (
    <>
      <td role="cell" className={CELL}>
        <FlowStateBadge state={judgeRule(rule, pauses)} />
        {closedUntil !== null && (
          <span className="block text-xs text-soft max-md:ml-2 max-md:inline">
            {closed < keys ? words.ofKeys(closed, formatCount(keys, keys >= MOST_KEYS)) : words.until}{' '}
            {closed === keys && <Clock at={closedUntil} />}
          </span>
        )}
      </td>
      <td role="cell" className={classNames(CELL, 'max-md:min-w-0 max-md:flex-[1_0_50%]')}>
        <Link
          to="/flow/$kind/$name"
          params={readRuleName(name)}
          data-rule={name}
          className="font-medium break-all hover:underline"
        >
          {name}
        </Link>
        <span className="block truncate text-xs text-faint max-md:hidden">{types.join(', ')}</span>
      </td>
      <td role="cell" className={classNames(CELL, 'max-md:w-full')}>
        {spellTerms(kind, terms, keys > 1)}
        <Changed rule={rule} />
      </td>
      <td role="cell" className={CELL}>
        <InUse rule={rule} />
      </td>
      <td role="cell" className={classNames(CELL, 'max-md:ml-auto')}>
        <span className="mr-1.5 text-xs text-faint md:hidden">{words.column.waiting}</span>
        <Waiting
          count={rule.waiting}
          isAtLeast={isAtLeast}
          since={rule.waitingSince}
          fields={{ held: kind, ...(keys > 1 || kind === 'tenant' ? {} : { gate: name }), type: types.join(',') }}
        />
      </td>
    </>
  );
}

/** That a person has changed it, who and when. */
function Changed({ rule: { kind, changed, changedBy, changedAt, declared } }: { readonly rule: FlowRule }) {
  if (changed === null) return null;
  return (
    <span className="block text-xs text-failed">
      {words.changed(changedBy ?? words.somebody, spellTerms(kind, declared))}
      {changedAt !== null && (
        <>
          {' · '}
          <Age at={changedAt} />
        </>
      )}
    </span>
  );
}

/** One key: how much of it is taken. Many: how many hold one. */
function InUse({ rule: { kind, keys, used, running, terms } }: { readonly rule: FlowRule }) {
  const isAtLeast = keys >= MOST_KEYS;
  if (kind === 'rate' || kind === 'breaker') return null;
  if (kind === 'limit' && keys <= 1) return <Usage used={used} max={terms.max ?? 0} />;
  if (keys === 0) return <span className="text-faint">0</span>;
  return (
    <span className="text-soft">
      <span className="text-ink">{words.run(running, formatCount(running, isAtLeast))}</span>{' '}
      {words.keys(keys, formatCount(keys, isAtLeast))}
    </span>
  );
}

import type { FlowKey, FlowRule, RuleKind } from '../../api/flow-queries.js';
import { texts } from '../../texts/texts.js';
import { classNames } from '../../ui/class-names.js';
import { Button } from '../../ui/inputs/button.js';
import { Clock } from '../../ui/marks/clock.js';
import { FlowStateBadge } from '../flow/flow-state.js';
import { judgeKey } from '../flow/judge-rule.js';
import { Waiting } from '../flow/waiting.js';
import { KeyCell, type KeyColumn } from './key-cell.js';
import type { AskedGate } from './gate-dialog.js';

const words = texts.flow;
const CELL = 'px-3 py-1.5 align-top';
/** What there is to say of a key of each kind, beside its state and who waits. */
const COLUMNS: Readonly<Record<RuleKind, readonly KeyColumn[]>> = {
  limit: ['use', 'holders'],
  rate: ['next'],
  order: ['holders'],
  tenant: ['weight', 'share', 'holders'],
  breaker: ['failures'],
};

interface KeysTableProps {
  readonly rule: FlowRule;
  readonly keys: readonly FlowKey[];
  /** null: whoever is signed in may not shut a key. */
  readonly onAsk: ((asked: AskedGate) => void) | null;
}

/** The keys of a rule as a table, and as cards on a phone. */
export function KeysTable({ rule, keys, onAsk }: KeysTableProps) {
  const columns = COLUMNS[rule.kind];
  const isNamed = keys.some(({ value }) => value !== null);
  return (
    <table
      role="table"
      aria-label={words.keysTitle}
      className="w-full border-collapse rounded-lg border border-line bg-surface max-md:block"
    >
      <thead role="rowgroup" className="max-md:sr-only">
        <tr role="row" className="border-b border-line text-left text-xs text-faint">
          {(['key', 'state', ...columns, 'waiting'] as const).map((id) => (
            <th role="columnheader" key={id} scope="col" className="px-3 py-1.5 font-medium whitespace-nowrap">
              {words.keyColumn[id]}
            </th>
          ))}
          {onAsk !== null && (
            <th role="columnheader" scope="col" className="w-0">
              <span className="sr-only">{words.keyColumn.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-md:block">
        {keys.map((key) => (
          <tr
            role="row"
            key={key.key}
            className="border-b border-line/70 last:border-0 max-md:flex max-md:flex-wrap max-md:items-center max-md:py-1.5"
          >
            <th
              role="rowheader"
              scope="row"
              className={classNames(
                CELL,
                'text-left font-medium max-md:w-full',
                isNamed ? 'break-all md:max-w-72 md:min-w-28' : 'whitespace-nowrap',
              )}
            >
              {key.value ?? words.wholeKey}
              {key.value === '' && <span className="font-normal text-faint">{words.emptyKey}</span>}
            </th>
            <td role="cell" className={classNames(CELL, 'whitespace-nowrap')}>
              <FlowStateBadge state={judgeKey(key)} />
              {key.closedUntil !== null && (
                <span className="ml-2 text-xs text-soft">
                  {words.until} <Clock at={key.closedUntil} />
                </span>
              )}
            </td>
            {columns.map((id) => (
              <td role="cell" key={id} className={classNames(CELL, id === 'holders' && 'max-md:w-full')}>
                <KeyCell column={id} of={key} rule={rule} />
              </td>
            ))}
            <td role="cell" className={classNames(CELL, 'whitespace-nowrap')}>
              <span className="mr-1.5 text-xs text-faint md:hidden">{words.keyColumn.waiting}</span>
              <Waiting
                count={key.waiting}
                isAtLeast={key.waitingIsAtLeast}
                since={key.waitingSince}
                fields={{ held: rule.kind, gate: key.key }}
              />
            </td>
            {onAsk !== null && (
              <td role="cell" className="py-1 pr-2 pl-1 text-right align-top max-md:ml-auto">
                <Gate of={key} onAsk={onAsk} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shuts a key, or lets in again where it is shut or a breaker only tries. */
function Gate({ of, onAsk }: { readonly of: FlowKey; readonly onAsk: (asked: AskedGate) => void }) {
  const isShut = of.closedUntil !== null || of.breaker === 'trying';
  const verb = isShut ? 'letIn' : 'shut';
  return (
    <Button
      kind={isShut ? 'plain' : 'quiet'}
      aria-label={words.labelOf(words[verb], of.key)}
      onClick={() => onAsk({ verb, of })}
    >
      {words[verb]}
    </Button>
  );
}

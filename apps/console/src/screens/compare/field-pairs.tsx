import { texts } from '../../texts/texts.js';
import { classNames } from '../../ui/class-names.js';
import type { FieldPair } from './compare-fields.js';
import { PairTable } from './pair-table.js';

const words = texts.compare;

interface FieldPairsProps {
  readonly title: string;
  /** What its first column is called. */
  readonly name: string;
  readonly pairs: readonly FieldPair[];
  /** What is the same is shown, too. */
  readonly isAll: boolean;
  readonly isCode?: boolean;
}

/** Fields of two jobs side by side; what differs is marked. */
export function FieldPairs({ title, name, pairs, isAll, isCode = false }: FieldPairsProps) {
  const shown = isAll ? pairs : pairs.filter(({ differs }) => differs);
  return (
    <PairTable title={title} name={name} shown={shown.length} all={pairs.length}>
      {shown.map(({ path, one, other, differs }) => (
        <tr key={path} className={classNames('border-t border-line/70', differs && isAll && 'bg-failed-wash')}>
          <th
            scope="row"
            className={classNames(
              'px-3 py-1.5 text-left align-top font-normal break-words text-soft',
              isCode && 'font-mono text-xs',
            )}
          >
            {path === '' ? title : path}
          </th>
          {[one, other].map((value, side) => (
            <td key={side} className={classNames('px-3 py-1.5 align-top break-words', isCode && 'font-mono text-xs')}>
              {value ?? <span className="font-sans text-faint">{words.missing}</span>}
            </td>
          ))}
        </tr>
      ))}
    </PairTable>
  );
}

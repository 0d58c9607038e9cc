import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { listChanges, type Change } from './list-changes.js';

const words = texts.audit;

/** The first changes in a line: `status: dead → queued`. */
export function ChangeLine({ entry: { before, after } }: { readonly entry: Schemas['AuditEntry'] }) {
  return listChanges(before, after)
    .sort((one, other) => weigh(one) - weigh(other))
    .slice(0, 3)
    .map((change) => (
      <span key={change.name} className="mr-3">
        <span className="text-faint">{change.name}</span>{' '}
        {change.before !== null && (
          <>
            {change.before} <span aria-label={words.after}>→</span>{' '}
          </>
        )}
        {change.after ?? words.nothing}
      </span>
    ));
}

/** A status says most in little room, a moment least. */
const weigh = ({ name, before, after }: Change): number =>
  name === 'status' ? 0 : /^\d{4}-\d\d-\d\dT/.test(before ?? after ?? '') ? 2 : 1;

/** Before and after beside each other, with everything that both say. */
export function ChangeTable({ entry: { before, after } }: { readonly entry: Schemas['AuditEntry'] }) {
  const changed = new Set(listChanges(before, after).map(({ name }) => name));
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <table className="w-full max-w-3xl table-fixed border-collapse" aria-label={words.change}>
      <thead>
        <tr className="text-left text-xs text-faint">
          <td className="w-36 max-md:w-24" />
          <th scope="col" className="py-1 pr-3 font-medium">
            {words.before}
          </th>
          <th scope="col" className="py-1 font-medium">
            {words.after}
          </th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name} className="border-t border-line/70 align-top">
            <th
              scope="row"
              className={`py-1 pr-3 text-left break-words ${changed.has(name) ? '' : 'font-normal text-soft'}`}
            >
              {name}
            </th>
            {[before, after].map((facts, index) => (
              <td
                // eslint-disable-next-line react/no-array-index-key
                key={index}
                className={`py-1 pr-3 font-mono text-xs break-words whitespace-pre-wrap ${changed.has(name) ? (index === 0 ? 'text-dead' : 'text-succeeded') : 'text-soft'}`}
              >
                <Value of={facts === null ? null : facts[name]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ of: value }: { readonly of: unknown }) {
  if (value === undefined) return <span className="text-faint">{words.notSaid}</span>;
  if (value === null) return <span className="text-faint">{words.nothing}</span>;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

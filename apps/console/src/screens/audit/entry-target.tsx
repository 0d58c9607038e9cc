import { formatFilter } from '@duework/filter';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/api-types.js';

const LOOK = 'linked';

/** What was changed; a job leads to itself, a type to its contract, a queue to its jobs. */
export function EntryTarget({ entry: { kind, target } }: { readonly entry: Schemas['AuditEntry'] }) {
  return (
    <span className="inline-flex min-w-0 items-baseline gap-1.5">
      <span className="text-faint">{kind.replaceAll('_', ' ')}</span>
      <Target kind={kind} target={target} />
    </span>
  );
}

function Target({ kind, target }: { readonly kind: string; readonly target: string }) {
  switch (kind) {
    case 'job':
      return (
        <Link to="/jobs/$id" params={{ id: target }} className={`font-mono text-xs ${LOOK}`}>
          {target}
        </Link>
      );
    case 'type':
      return (
        <Link to="/contracts/$type" params={{ type: target }} search={{ version: undefined }} className={LOOK}>
          {target}
        </Link>
      );
    case 'queue':
    case 'schedule': {
      const filter = formatFilter({ terms: [{ field: kind, isNot: false, values: [target] }] });
      return (
        <Link to="/jobs" search={{ filter, cursor: undefined, columns: undefined }} className={`truncate ${LOOK}`}>
          {target}
        </Link>
      );
    }
    default:
      return <span className="truncate">{target}</span>;
  }
}

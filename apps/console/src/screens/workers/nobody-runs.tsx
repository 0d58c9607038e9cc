import type { Schemas } from '../../api/api-types.js';
import type { Unserved, Worker } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { FilterLink } from '../../ui/filter-link.js';
import { SeverityShape } from '../../ui/marks/severity-shape.js';
import { TroubleLine } from '../overview/trouble-line.js';

const words = texts.workers;

interface NobodyRunsProps {
  readonly unserved: readonly Unserved[];
  readonly contracts: readonly Schemas['Contract'][];
  readonly workers: readonly Worker[];
}

/** What is due and nobody can run, and the contracts that no live worker knows, though nothing of them waits. */
export function NobodyRuns({ unserved, contracts, workers }: NobodyRunsProps) {
  const run = new Set(workers.flatMap(({ types, state }) => (state === 'lost' ? [] : types.map(({ type }) => type))));
  const due = new Set(unserved.map(({ type }) => type));
  const idle = contracts.filter(({ type }) => !run.has(type) && !due.has(type));
  if (unserved.length === 0 && idle.length === 0) return null;
  return (
    <section aria-label={words.nobody} className="mb-4 overflow-hidden rounded-lg border border-line bg-surface">
      <ul>
        {unserved.map((one) => (
          <TroubleLine
            key={`${one.queue} ${one.type} ${one.version}`}
            trouble={{ kind: 'unserved', severity: 'error', unserved: one }}
          />
        ))}
        {idle.length > 0 && (
          <li className="flex items-start gap-2.5 px-3 py-2">
            <span className="mt-0.5">
              <SeverityShape severity="told" />
            </span>
            <p className="min-w-0">
              <span className="font-medium">{words.idleTypes}</span>{' '}
              {idle.map(({ type }, index) => (
                <span key={type}>
                  {index > 0 && ', '}
                  <FilterLink fields={{ type }}>{type}</FilterLink>
                </span>
              ))}
            </p>
          </li>
        )}
      </ul>
    </section>
  );
}

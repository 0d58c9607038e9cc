import { Link } from '@tanstack/react-router';
import type { Worker } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { Slots } from '../../ui/marks/slots.js';

const words = texts.overview;
const MOST = 12;

/** The workers that live, and how busy each one is. */
export function WorkersStrip({ workers }: { readonly workers: readonly Worker[] }) {
  return (
    <section className="mt-5">
      <h2 className="mb-1.5 text-sm font-semibold">{words.workers}</h2>
      {workers.length === 0 ? (
        <p className="text-soft">{words.noWorkers}</p>
      ) : (
        <ul className="flex flex-wrap gap-2">
          {workers.slice(0, MOST).map(({ name, codeVersion, slots, held, state }) => (
            <li
              key={name}
              className="flex min-w-0 items-center gap-2.5 rounded-md border border-line bg-surface px-2.5 py-1.5"
            >
              <span className="truncate font-mono text-xs">{name}</span>
              {codeVersion !== null && <span className="text-xs text-faint">{codeVersion}</span>}
              {state === 'lost' || state === 'stalled' ? (
                <span className="text-xs font-medium text-dead">{words[state]}</span>
              ) : (
                <Slots taken={held} slots={slots} />
              )}
            </li>
          ))}
          <li className="flex items-center">
            <Link to="/workers" className="px-1 text-soft linked">
              {workers.length > MOST ? words.allWorkers(workers.length) : words.toWorkers}
            </Link>
          </li>
        </ul>
      )}
    </section>
  );
}

import { texts } from '../texts/texts.js';

/** How many live workers read something: a filled dot, or a ring where none does; null: nobody knows. */
export function Readers({ workers }: { readonly workers: readonly string[] | null }) {
  if (workers === null) return <span className="text-faint">–</span>;
  const isRead = workers.length > 0;
  return (
    <span
      title={workers.join('\n')}
      className={`inline-flex items-center gap-1.5 whitespace-nowrap ${isRead ? 'text-ink' : 'text-failed'}`}
    >
      <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true" className={isRead ? 'text-succeeded' : ''}>
        {isRead ? (
          <circle cx="4" cy="4" r="3.2" fill="currentColor" />
        ) : (
          <circle cx="4" cy="4" r="2.8" fill="none" stroke="currentColor" strokeWidth="1.5" />
        )}
      </svg>
      {isRead ? texts.contracts.workers(workers.length) : texts.contracts.nobody}
    </span>
  );
}

import type { BulkPreview } from '../api/bulk-queries.js';
import { texts } from '../texts/texts.js';
import { formatCount } from '../time/format-count.js';
import { StatusBadge } from '../ui/marks/status-badge.js';

const words = texts.bulk;

interface ShownPreviewProps {
  readonly preview: BulkPreview | undefined;
  readonly error: Error | null;
  /** Whether enough was said to ask for one. */
  readonly isComplete: boolean;
}

/** What an action would do: how many jobs, which are left as they are and why, and some of them. Its height stays. */
export function ShownPreview({ preview, error, isComplete }: ShownPreviewProps) {
  return (
    <section
      aria-label={words.preview}
      aria-live="polite"
      className="mt-4 min-h-52 rounded-md border border-line bg-sunken px-3 py-2.5"
    >
      {!isComplete ? (
        <p className="text-soft">{words.incomplete}</p>
      ) : error !== null ? (
        <p role="alert" className="text-dead">
          {error.message}
        </p>
      ) : preview === undefined ? (
        <p className="text-soft">{words.looking}</p>
      ) : (
        <Known preview={preview} />
      )}
    </section>
  );
}

function Known({ preview: { count, statuses, refused, sample } }: { readonly preview: BulkPreview }) {
  return (
    <>
      <p className="font-medium">
        {count.count === 0
          ? words.wouldNone
          : words.would(formatCount(count.count, count.isAtLeast), count.count === 1 && !count.isAtLeast)}
      </p>
      <p className="text-xs text-soft">
        {words.statuses} {statuses.map((status) => texts.statuses[status]).join(', ')}
      </p>
      {refused.map(({ code, count: left, why }) => (
        <p key={code + why} className="mt-1 text-failed">
          {words.left(left === null ? null : formatCount(left))} {why}
        </p>
      ))}
      {sample.length > 0 && (
        <>
          <p className="mt-2 text-xs text-faint">{words.sample}</p>
          <ul className="mt-0.5">
            {sample.slice(0, 5).map(({ id, type, status, errorCode, refusal }) => (
              <li key={id} className="flex min-h-6 items-center gap-x-2.5 max-md:flex-wrap max-md:py-1">
                <span className="w-22 shrink-0 max-md:w-16">
                  <StatusBadge status={status} />
                </span>
                <span className="font-mono text-xs">{id}</span>
                <span className="truncate">{type}</span>
                <span className="ml-auto max-w-full truncate text-xs text-soft" title={refusal?.why}>
                  {refusal === null
                    ? errorCode !== null && <code className="font-mono">{errorCode}</code>
                    : refusal.why}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

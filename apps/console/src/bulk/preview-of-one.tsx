import type { BulkPreview } from '../api/bulk-queries.js';
import { texts } from '../texts/texts.js';

const words = texts.bulk;

interface PreviewOfOneProps {
  readonly preview: BulkPreview | undefined;
  readonly error: Error | null;
  /** Whether enough was said to ask for one. */
  readonly isComplete: boolean;
}

/** Whether one job would be changed, and otherwise why not. Its height stays. */
export function PreviewOfOne({ preview, error, isComplete }: PreviewOfOneProps) {
  const [sample] = preview?.sample ?? [];
  const why = error?.message ?? sample?.refusal?.why ?? preview?.refused[0]?.why;
  return (
    <p aria-live="polite" className="mt-3 min-h-10 text-soft">
      {!isComplete ? (
        words.incomplete
      ) : why !== undefined ? (
        <span className="text-dead">{why}</span>
      ) : preview === undefined ? (
        words.looking
      ) : preview.count.count === 0 ? (
        <span className="text-dead">{words.one.wouldNot}</span>
      ) : (
        words.one.would
      )}
    </p>
  );
}

import { texts } from '../../texts/texts.js';
import { DueTimeList } from './next-due-times.js';
import type { useRulePreview } from './use-rule-preview.js';

const words = texts.schedules;
const SHOWN = 4;

interface RulePreviewProps {
  readonly preview: ReturnType<typeof useRulePreview>;
  /** What was refused, of the rule or when it was saved. */
  readonly error: Error | null;
  /** It stands at a field already. */
  readonly isInField: boolean;
}

/** What a rule means while somebody writes it: in words, and its next due times. */
export function RulePreview({ preview, error, isInField }: RulePreviewProps) {
  return (
    <section aria-label={words.preview} aria-live="polite" className="mt-4 min-h-52">
      <h3 className="text-xs font-medium text-faint">{words.preview}</h3>
      {error !== null && !isInField && (
        <p role="alert" className="mt-1.5 rounded-md bg-dead-wash px-3 py-2 text-dead">
          {error.message}
        </p>
      )}
      {isInField && <p className="mt-1 text-soft">{words.noPreview}</p>}
      {error === null && preview.data !== undefined && (
        <div className={preview.isOld ? 'opacity-60' : undefined}>
          <p className="mt-1 mb-1.5 text-[0.9375rem]">{preview.data.words}</p>
          <DueTimeList dueTimes={preview.data.dueTimes} shown={SHOWN} />
        </div>
      )}
    </section>
  );
}

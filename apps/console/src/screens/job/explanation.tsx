import { texts } from '../../texts/texts.js';
import { useExplanation } from './use-job.js';

/** Where the job is, and why, in a sentence of the API. */
export function Explanation({ id, isWaiting }: { readonly id: string; readonly isWaiting: boolean }) {
  const { data } = useExplanation(id, isWaiting);
  return (
    <section aria-label={texts.job.why} aria-live="polite" className="min-h-10 text-[0.9375rem] leading-6">
      {data !== undefined && (
        <>
          <p className="max-w-prose break-words">{localTimes(data.sentence)}</p>
          {data.further.length > 0 && (
            <div className="mt-1 text-sm text-soft">
              {texts.job.also}
              <ul className="list-inside list-disc">
                {data.further.map(({ code, sentence }) => (
                  <li key={code + sentence}>{localTimes(sentence)}</li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </section>
  );
}

/** The API writes moments as ISO 8601; people read them without their fractions and letters. */
const localTimes = (sentence: string): string =>
  sentence.replaceAll(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z/g, '$1 $2 UTC');

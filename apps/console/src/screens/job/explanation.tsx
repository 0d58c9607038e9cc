import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { formatMoment, type Zone } from '../../time/format-moment.js';
import { useZone } from '../../time/zone-store.js';

/** Where the job is, and why, in a sentence of the API. */
export function Explanation({ data }: { readonly data: Schemas['Explanation'] | undefined }) {
  const zone = useZone();
  return (
    <section aria-label={texts.job.why} aria-live="polite" className="min-h-10 text-[0.9375rem] leading-6">
      {data !== undefined && (
        <>
          <p className="max-w-4xl break-words">{localTimes(data.sentence, zone)}</p>
          {data.further.length > 0 && (
            <div className="mt-1 text-sm text-soft">
              {texts.job.also}
              <ul className="list-inside list-disc">
                {data.further.map(({ code, sentence }) => (
                  <li key={code + sentence}>{localTimes(sentence, zone)}</li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </section>
  );
}

/** The API writes moments as ISO 8601; people read them in the zone that they chose. */
export const localTimes = (sentence: string, zone: Zone): string =>
  sentence.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (at) => formatMoment(new Date(at), zone));

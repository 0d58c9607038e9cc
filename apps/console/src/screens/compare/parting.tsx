import { texts } from '../../texts/texts.js';
import type { Step } from '../../api/use-steps.js';
import type { StepPair } from './compare-steps.js';

const words = texts.compare;

/** The first step at which two jobs are not alike: why one of them ended otherwise. */
export function Parting({ steps }: { readonly steps: readonly StepPair[] }) {
  if (steps.length === 0) return null;
  const first = steps.find(({ differs }) => differs);
  return (
    <section aria-label={words.part} className="mt-3 rounded-lg border border-line bg-sunken px-4 py-3">
      <h2 className="text-xs text-faint">{words.part}</h2>
      {first === undefined ? (
        <p className="mt-1">{words.samePath}</p>
      ) : (
        <>
          <p className="mt-1 font-medium break-words">{words.partAt(first.name)}</p>
          <dl className="mt-1 grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-0.5">
            <dt className="text-faint">{words.here}</dt>
            <dd className="break-words">{spell(first.one)}</dd>
            <dt className="text-faint">{words.there}</dt>
            <dd className="break-words">{spell(first.other)}</dd>
          </dl>
        </>
      )}
    </section>
  );
}

const spell = (step: Step | null): string => (step === null ? words.notReached : step.sentence);

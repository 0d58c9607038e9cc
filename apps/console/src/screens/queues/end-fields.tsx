import { texts } from '../../texts/texts.js';
import type { End } from './pause-ends.js';

const words = texts.queues;

interface EndFieldsProps {
  readonly ends: readonly End[];
  readonly end: End;
  /** The moment of the end `own`, as its input has it. */
  readonly ownEnd: string;
  readonly onEnd: (end: End) => void;
  readonly onOwnEnd: (ownEnd: string) => void;
}

/** Asks until when. */
export function EndFields({ ends, end, ownEnd, onEnd, onOwnEnd }: EndFieldsProps) {
  return (
    <fieldset className="mt-4">
      <legend className="mb-1 text-soft">{words.endLabel}</legend>
      <div className="flex flex-wrap gap-1.5">
        {ends.map((one) => (
          <label
            key={one}
            className="inline-flex h-8 items-center gap-1.5 rounded-md border border-line px-2.5 has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-10"
          >
            <input type="radio" name="end" checked={end === one} onChange={() => onEnd(one)} />
            {words.ends[one]}
          </label>
        ))}
      </div>
      {end === 'own' && (
        <label className="mt-2 flex flex-col gap-1">
          <span className="text-soft">{words.ownEnd}</span>
          <input
            type="datetime-local"
            required
            value={ownEnd}
            onChange={({ target }) => onOwnEnd(target.value)}
            className="h-9 w-60 max-w-full rounded-md border border-line-strong bg-surface px-3"
          />
        </label>
      )}
    </fieldset>
  );
}

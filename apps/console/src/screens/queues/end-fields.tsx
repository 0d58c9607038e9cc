import { texts } from '../../texts/texts.js';
import { RadioRow } from '../../ui/inputs/radio-row.js';
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
    <>
      <RadioRow
        name="end"
        legend={words.endLabel}
        options={ends.map((id) => ({ id, text: words.ends[id] }))}
        chosen={end}
        onChoose={onEnd}
      />
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
    </>
  );
}

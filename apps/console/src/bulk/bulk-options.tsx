import { texts } from '../texts/texts.js';
import { TextField } from '../ui/text-field.js';
import type { BulkChoice, Verb } from './bulk-choice.js';

const words = texts.bulk;
type Typed = Exclude<keyof BulkChoice, 'effects'>;

/** What each verb has to be told. */
const ASKED: Readonly<Record<Verb, readonly (readonly [name: Typed, label: string, type?: string])[]>> = {
  retry: [],
  cancel: [],
  free_key: [],
  delete: [],
  reschedule: [
    ['runAt', words.runAt, 'datetime-local'],
    ['spreadMinutes', words.spread],
  ],
  change_priority: [['priority', words.priority]],
  change_queue: [['queue', words.queue]],
  edit_payload: [
    ['path', words.path],
    ['value', words.value],
  ],
};

/** What each may be told. */
const MORE: Partial<typeof ASKED> = { retry: [['priority', words.priorityRetry]] };

interface BulkOptionsProps {
  readonly verb: Verb;
  readonly choice: BulkChoice;
  readonly onChoice: (choice: BulkChoice) => void;
  /** Some of the jobs have an effect that nobody knows the end of. */
  readonly hasEffects: boolean;
}

export function BulkOptions({ verb, choice, onChoice, hasEffects }: BulkOptionsProps) {
  const field = ([name, label, type = 'text']: readonly [name: Typed, label: string, type?: string]) => (
    <TextField
      key={name}
      label={label}
      type={type}
      value={choice[name]}
      autoComplete="off"
      spellCheck={false}
      onText={(text) => onChoice({ ...choice, [name]: text })}
    />
  );
  return (
    <>
      {ASKED[verb].map(field)}
      {hasEffects && (
        <fieldset className="mt-3 rounded-md border border-failed/50 bg-failed-wash px-3 py-2">
          <legend className="sr-only">{words.effects}</legend>
          <p aria-hidden="true">{words.effects}</p>
          {(Object.keys(words.effectChoices) as BulkChoice['effects'][]).map((one) => (
            <label key={one} className="flex min-h-6 items-center gap-2 pointer-coarse:min-h-10">
              <input
                type="radio"
                name="effects"
                className="accent-accent"
                checked={choice.effects === one}
                onChange={() => onChoice({ ...choice, effects: one })}
              />
              {words.effectChoices[one]}
            </label>
          ))}
        </fieldset>
      )}
      <details className="mt-3">
        <summary className="w-fit text-xs text-soft hover:text-ink">{words.options}</summary>
        {MORE[verb]?.map(field)}
        {field(['perSecond', words.perSecond])}
      </details>
    </>
  );
}

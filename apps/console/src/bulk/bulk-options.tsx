import { useId } from 'react';
import { keepsNumbers } from '../json/keeps-numbers.js';
import { texts } from '../texts/texts.js';
import { TextField } from '../ui/inputs/text-field.js';
import type { BulkChoice, Verb } from './bulk-choice.js';
import type { OneJob } from './one-job.js';

const words = texts.bulk;
type Typed = Exclude<keyof BulkChoice, 'effects'>;
type Asked = readonly [name: Typed, label: string, type?: string];

/** What each verb has to be told. */
const ASKED: Readonly<Record<Verb, readonly Asked[]>> = {
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
/** What is about many jobs alone. */
const OF_MANY: ReadonlySet<Typed> = new Set(['spreadMinutes', 'perSecond']);

interface BulkOptionsProps {
  readonly verb: Verb;
  readonly choice: BulkChoice;
  readonly onChoice: (choice: BulkChoice) => void;
  /** Some of the jobs have an effect that nobody knows the end of. */
  readonly hasEffects: boolean;
  /** The only job. */
  readonly one?: OneJob | undefined;
}

export function BulkOptions({ verb, choice, onChoice, hasEffects, one }: BulkOptionsProps) {
  const list = useId();
  const fields = verb === 'edit_payload' ? (one?.fields ?? []) : [];
  function change(name: Typed, text: string): void {
    const known = name === 'path' ? fields.find(({ path }) => path === text) : undefined;
    onChoice({ ...choice, [name]: text, ...(known === undefined ? {} : { value: known.json }) });
  }
  const field = ([name, label, type = 'text']: Asked) =>
    (one === undefined || !OF_MANY.has(name)) && (
      <TextField
        key={name}
        label={label}
        type={type}
        value={choice[name]}
        list={name === 'path' && fields.length > 0 ? list : undefined}
        autoComplete="off"
        spellCheck={false}
        onText={(text) => change(name, text)}
      />
    );
  return (
    <>
      {ASKED[verb].map(field)}
      {fields.length > 0 && (
        <datalist id={list}>
          {fields.map(({ path, json }) => (
            <option key={path} value={path} label={json.slice(0, 40)} />
          ))}
        </datalist>
      )}
      {verb === 'edit_payload' && !keepsNumbers(choice.value) && (
        <p role="alert" className="mt-1 text-dead">
          {words.lostNumber}
        </p>
      )}
      {hasEffects && (
        <fieldset className="mt-3 rounded-md border border-failed/50 bg-failed-wash px-3 py-2">
          <legend className="sr-only">{words.effects}</legend>
          <p aria-hidden="true">{words.effects}</p>
          {(Object.keys(words.effectChoices) as BulkChoice['effects'][]).map((said) => (
            <label key={said} className="flex min-h-6 items-center gap-2 pointer-coarse:min-h-10">
              <input
                type="radio"
                name="effects"
                className="accent-accent"
                checked={choice.effects === said}
                onChange={() => onChoice({ ...choice, effects: said })}
              />
              {words.effectChoices[said]}
            </label>
          ))}
        </fieldset>
      )}
      {one === undefined && (
        <details className="mt-3">
          <summary className="w-fit text-xs text-soft hover:text-ink">{words.options}</summary>
          {MORE[verb]?.map(field)}
          {field(['perSecond', words.perSecond])}
        </details>
      )}
    </>
  );
}

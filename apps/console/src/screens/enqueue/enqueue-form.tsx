import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { ApiError } from '../../api/api-error.js';
import type { Schemas } from '../../api/api-types.js';
import { layOutJson } from '../../json/lay-out-json.js';
import { isJson, printDraft } from '../../schema/print-draft.js';
import { readField } from '../../schema/read-field.js';
import { startDraft } from '../../schema/start-draft.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { OptionRow } from '../../ui/inputs/option-row.js';
import { FieldInput } from './field-input.js';
import { NO_OPTIONS, OPTION_NAMES, printRequest } from './job-options.js';
import { Labelled } from './labelled.js';
import { OptionsInput } from './options-input.js';
import { useEnqueue } from './use-enqueue.js';

interface EnqueueFormProps {
  readonly contract: Schemas['Contract'];
  /** The JSON of the payload to begin with. It is edited as JSON, so that all of it stays what it is. */
  readonly given: string | undefined;
  /** The batch to which the job is added. */
  readonly batch: string | undefined;
}

const words = texts.enqueue;

/** A payload as a form or as JSON, and the options of its job. What the API refuses is said where it is wrong. */
export function EnqueueForm({ contract: { type, versions, defaults }, given, batch }: EnqueueFormProps) {
  // as it was when the form was opened: the registry is asked again while somebody types
  const [field] = useState(() => readField(versions.at(-1)!.payloadSchema));
  const [draft, setDraft] = useState(() => startDraft(field, defaults?.payload ?? undefined));
  const [json, setJson] = useState(given === undefined ? null : layOutJson(given));
  const [options, setOptions] = useState(NO_OPTIONS);
  const form = useRef<HTMLFormElement>(null);
  const enqueue = useEnqueue(batch);
  const isFormPossible = field.kind === 'object';
  const isJsonShown = json !== null || !isFormPossible;
  const text = json ?? '';
  const notJson = json !== null && json.trim() !== '' && !isJson(json);
  const faults = readFaults(enqueue.error);
  const said = [...faults.keys()];

  useEffect(() => {
    // who sent it is led to the first thing that is wrong
    if (enqueue.error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [enqueue.error]);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (notJson || enqueue.isPending) return;
    const payload = isJsonShown ? text.trim() || undefined : printDraft(field, draft);
    enqueue.mutate(printRequest(type, payload, options));
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className="mt-5 grid grid-cols-[minmax(0,1fr)_19rem] gap-x-8 gap-y-6 max-lg:grid-cols-1"
    >
      <section className="min-w-0" aria-label={words.payload}>
        <div className="mb-3 flex min-h-7 items-center gap-1">
          <h2 className="mr-auto text-sm font-semibold">{words.payload}</h2>
          {isFormPossible && (
            <OptionRow
              label={words.as}
              value={isJsonShown ? 'json' : 'form'}
              options={[
                { id: 'form', content: words.form, isDisabled: notJson },
                { id: 'json', content: words.json },
              ]}
              onChange={(id) => setJson(id === 'form' ? null : layOutJson(printDraft(field, draft) ?? '{}'))}
            />
          )}
        </div>
        {isJsonShown ? (
          <Labelled label={words.json} faults={notJson ? [words.notJson] : listBelow(faults, '/payload')}>
            {(props) => (
              <textarea
                {...props}
                value={text}
                spellCheck={false}
                className={`${props.className} h-72! py-2 font-mono text-xs`}
                onChange={({ target }) => {
                  setJson(target.value);
                  if (isJson(target.value)) setDraft(startDraft(field, JSON.parse(target.value)));
                }}
              />
            )}
          </Labelled>
        ) : (
          <FieldInput field={field} draft={draft} onChange={setDraft} pointer="/payload" faults={faults} />
        )}
      </section>
      <section aria-label={words.options}>
        <h2 className="mb-3 flex min-h-7 items-center text-sm font-semibold">{words.options}</h2>
        <OptionsInput defaults={defaults} options={options} onChange={setOptions} faults={faults} />
      </section>
      <div className="col-span-full flex flex-wrap items-center gap-3 border-t border-line pt-4">
        <Button type="submit" kind="primary" disabled={enqueue.isPending || notJson}>
          {words.action}
        </Button>
        <p role="alert" className="min-w-0 text-dead">
          {enqueue.error !== null && (said.length > 0 ? words.faults(said.length) : enqueue.error.message)}
          {/* what has no input of its own */}
          {listOthers(faults, options.when).join(' ')}
        </p>
      </div>
    </form>
  );
}

type Faults = ReadonlyMap<string, readonly string[]>;

function readFaults(error: Error | null): Faults {
  const faults = new Map<string, readonly string[]>();
  if (error instanceof ApiError)
    for (const { pointer: place, message } of error.faults) {
      const pointer = place.replace(/^\/jobs\/0(?=\/)/, '');
      faults.set(pointer, [...(faults.get(pointer) ?? []), message]);
    }
  return faults;
}

/** Those of the whole payload and of its parts, each with its place: for JSON, whose parts have no input of their own. */
function listBelow(faults: Faults, place: string): string[] {
  return [...faults]
    .filter(([pointer]) => pointer === place || pointer.startsWith(`${place}/`))
    .map(([pointer, messages]) => `${pointer.slice(place.length)} ${messages.join(' ')}`.trim());
}

const SHOWN = new Set(['runAt', 'delaySeconds', ...OPTION_NAMES].map((name) => `/${name}`));

function listOthers(faults: Faults, when: string): string[] {
  return [...faults]
    .filter(([pointer]) => pointer === '/payload' || !(pointer.startsWith('/payload/') || SHOWN.has(pointer)))
    .concat([...faults].filter(([pointer]) => when === 'now' && /^\/(runAt|delaySeconds)$/.test(pointer)))
    .map(([pointer, messages]) => ` ${pointer} ${messages.join(' ')}`);
}

import { useId, useMemo, type ReactNode } from 'react';
import type { Fault } from '../../api/api-error.js';
import { texts } from '../../texts/texts.js';
import { classNames } from '../../ui/class-names.js';
import type { Draft, RuleKind } from './read-draft.js';

const words = texts.schedules;
const FIELD = 'h-9 w-full rounded-md border border-line-strong bg-surface px-3 aria-invalid:border-dead';

interface EditFieldsProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly faults: readonly Fault[];
}

/** The fields of a rule and its policies; what the API says of a field stands below it. */
export function EditFields({ draft, onChange, faults }: EditFieldsProps) {
  const id = useId();
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone')], []);
  const faultOf = (pointer: string): string | undefined => faults.find((fault) => fault.pointer === pointer)?.message;
  const ruleFault = faultOf(`/${draft.kind}`);
  const zoneFault = faultOf('/timeZone');
  return (
    <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 max-md:grid-cols-1">
      <Field label={words.ruleKind} htmlFor={`${id}rule`} fault={ruleFault} hint={words.ruleHints[draft.kind]}>
        <div className="flex gap-2">
          <select
            aria-label={words.ruleKind}
            value={draft.kind}
            onChange={({ target }) => onChange({ ...draft, kind: target.value as RuleKind })}
            className={classNames(FIELD, 'w-28! px-2!')}
          >
            {Object.entries(words.ruleKinds).map(([kind, text]) => (
              <option key={kind} value={kind}>
                {text}
              </option>
            ))}
          </select>
          <input
            id={`${id}rule`}
            value={draft.texts[draft.kind]}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={ruleFault !== undefined}
            aria-describedby={`${id}rule-words`}
            onChange={({ target }) => onChange({ ...draft, texts: { ...draft.texts, [draft.kind]: target.value } })}
            className={classNames(FIELD, 'min-w-0 font-mono')}
          />
        </div>
      </Field>
      <Field label={words.zone} htmlFor={`${id}zone`} fault={zoneFault}>
        <input
          id={`${id}zone`}
          list={`${id}zones`}
          value={draft.timeZone}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={zoneFault !== undefined}
          aria-describedby={`${id}zone-words`}
          onChange={({ target }) => onChange({ ...draft, timeZone: target.value })}
          className={FIELD}
        />
        <datalist id={`${id}zones`}>
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </Field>
      <Choice
        label={words.missed}
        value={draft.missed}
        options={words.missedOptions}
        onChange={(missed) => onChange({ ...draft, missed })}
      />
      <Choice
        label={words.overlap}
        value={draft.overlap}
        options={words.overlapOptions}
        onChange={(overlap) => onChange({ ...draft, overlap })}
      />
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly htmlFor: string;
  readonly fault: string | undefined;
  readonly hint?: string;
  readonly children: ReactNode;
}

function Field({ label, htmlFor, fault, hint, children }: FieldProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={htmlFor} className="text-soft">
        {label}
      </label>
      {children}
      <p id={`${htmlFor}-words`} className={classNames('text-xs', fault === undefined ? 'text-faint' : 'text-dead')}>
        {fault ?? hint}
      </p>
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: Readonly<Record<T, string>>;
  readonly onChange: (value: T) => void;
}

function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <label className="flex min-w-0 flex-col gap-1">
      <span className="text-soft">{label}</span>
      <select
        value={value}
        onChange={({ target }) => onChange(target.value as T)}
        className={classNames(FIELD, 'px-2!')}
      >
        {Object.entries<string>(options).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

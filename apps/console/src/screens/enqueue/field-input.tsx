import { listLimits, nameKind } from '../../schema/describe-field.js';
import { itemsOf, membersOf, textOf, type Draft } from '../../schema/draft.js';
import type { Field } from '../../schema/field.js';
import { startDraft } from '../../schema/start-draft.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { CloseIcon } from '../../ui/icons.js';
import { Labelled, type InputProps } from './labelled.js';

export interface FieldInputProps {
  readonly field: Field;
  readonly draft: Draft | undefined;
  readonly onChange: (draft: Draft) => void;
  /** Where it is in the request, as the API names it in its faults. */
  readonly pointer: string;
  /** What is wrong, by pointer. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Instead of its name: of an item of a list. */
  readonly label?: string | undefined;
}

const words = texts.enqueue;
const NONE: readonly string[] = [];

/** The input of one field, or a group of inputs. */
export function FieldInput(props: FieldInputProps) {
  switch (props.field.kind) {
    case 'object':
      return <Group {...props} />;
    case 'list':
      return <List {...props} />;
    default:
      return <Single {...props} />;
  }
}

function Single({ field, draft, onChange, pointer, faults, label }: FieldInputProps) {
  const isWrong = faults.has(pointer);
  const isEmpty = field.isRequired && textOf(draft).trim() === '';
  const hint = [field.description, listLimits(field.kind === 'choice' ? { ...field, options: [] } : field).join(' · ')];
  return (
    <Labelled
      label={<Name field={field} label={label} />}
      hint={hint.filter(Boolean).join(' ')}
      // the API says that it received none, which whoever left it empty knows
      faults={isWrong && isEmpty ? [words.missing] : (faults.get(pointer) ?? NONE)}
    >
      {(input) => <Control field={field} text={textOf(draft)} onText={onChange} input={input} />}
    </Labelled>
  );
}

interface ControlProps {
  readonly field: Field;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly input: InputProps;
}

function Control({ field, text, onText, input }: ControlProps) {
  const { kind, options, isRequired } = field;
  const shared = { ...input, 'aria-required': isRequired, value: text };
  if (kind === 'boolean' || kind === 'choice') {
    const values = kind === 'boolean' ? ['true', 'false'] : options;
    return (
      <select {...shared} onChange={({ target }) => onText(target.value)}>
        <option value="">{isRequired ? words.choose : words.none}</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {value.startsWith('"') ? (JSON.parse(value) as string) : value}
          </option>
        ))}
      </select>
    );
  }
  if (kind === 'json')
    return (
      <textarea
        {...shared}
        className={`${input.className} h-24! py-2 font-mono text-xs max-md:h-28!`}
        spellCheck={false}
        placeholder={field.schema['type'] === 'object' ? '{ }' : field.schema['type'] === 'array' ? '[ ]' : ''}
        onChange={({ target }) => onText(target.value)}
      />
    );
  return (
    <input
      {...shared}
      type={field.schema['format'] === 'date' ? 'date' : field.isSensitive ? 'password' : 'text'}
      inputMode={kind === 'integer' ? 'numeric' : kind === 'number' ? 'decimal' : undefined}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onText(target.value)}
    />
  );
}

function Name({ field, label }: Pick<FieldInputProps, 'field' | 'label'>) {
  return (
    <>
      <span className="font-mono text-xs font-medium">{label ?? field.name}</span>
      <span className="text-xs text-faint">
        {nameKind(field)}
        {field.isRequired ? '' : ` · ${texts.schema.optional}`}
        {field.isSensitive ? ` · ${texts.schema.sensitive}` : ''}
      </span>
    </>
  );
}

function Group({ field, draft, onChange, pointer, faults, label }: FieldInputProps) {
  const members = membersOf(draft);
  const isRoot = field.name === '' && label === undefined;
  const inputs = field.members.map((member) => (
    <FieldInput
      key={member.name}
      field={member}
      draft={members[member.name]}
      onChange={(next) => onChange({ ...members, [member.name]: next })}
      pointer={`${pointer}/${member.name.replaceAll('~', '~0').replaceAll('/', '~1')}`}
      faults={faults}
    />
  ));
  if (isRoot) return <div className="flex flex-col gap-4">{inputs}</div>;
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 border-l-2 border-line pl-4">
      <legend className="mb-2 flex gap-2">
        <Name field={field} label={label} />
      </legend>
      <Faults of={faults.get(pointer)} />
      {inputs}
    </fieldset>
  );
}

function List({ field, draft, onChange, pointer, faults, label }: FieldInputProps) {
  const items = itemsOf(draft);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 border-l-2 border-line pl-4">
      <legend className="mb-2 flex gap-2">
        <Name field={field} label={label} />
      </legend>
      <Faults of={faults.get(pointer)} />
      {items.map((item, index) => (
        // items have nothing but their place
        // eslint-disable-next-line react/no-array-index-key
        <div key={index} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <FieldInput
              field={field.item!}
              draft={item}
              onChange={(next) => onChange(items.with(index, next))}
              pointer={`${pointer}/${index}`}
              faults={faults}
              label={words.item(index + 1)}
            />
          </div>
          <Button
            kind="quiet"
            aria-label={words.remove(index + 1)}
            title={words.remove(index + 1)}
            onClick={() => onChange(items.filter((_, other) => other !== index))}
          >
            <CloseIcon />
          </Button>
        </div>
      ))}
      <Button className="self-start" onClick={() => onChange([...items, startDraft(field.item!)])}>
        {words.add}
      </Button>
    </fieldset>
  );
}

function Faults({ of = NONE }: { readonly of?: readonly string[] | undefined }) {
  return of.length > 0 && <p className="text-dead">{of.join(' ')}</p>;
}

import { listLimits, nameKind } from '../../schema/describe-field.js';
import type { Field, JsonSchema } from '../../schema/field.js';
import { flattenFields, type PlacedField } from '../../schema/flatten-fields.js';
import { readField } from '../../schema/read-field.js';
import { texts } from '../../texts/texts.js';

interface FieldTableProps {
  readonly version: number;
  readonly schema: JsonSchema;
  /** The version before, to say what is new since. */
  readonly before: { readonly version: number; readonly schema: JsonSchema } | null;
}

const words = texts.schema;
const CELL = 'py-2 pr-4 align-top max-md:py-0.5';

/** A payload as documentation: each field, what it is, and what it has to be. */
export function FieldTable({ version, schema, before }: FieldTableProps) {
  const fields = flattenFields(readField(schema));
  const old = before === null ? null : new Map(flattenFields(readField(before.schema)).map((one) => [one.path, one]));
  const gone = [...(old?.keys() ?? [])].filter((path) => !fields.some((one) => one.path === path));
  if (fields.length === 0) return <p className="text-soft">{words.none}</p>;
  return (
    <>
      <table role="table" aria-label={texts.contracts.payload} className="w-full border-collapse max-md:block">
        <thead role="rowgroup" className="max-md:sr-only">
          <tr role="row" className="border-b border-line text-left text-xs text-faint">
            {[words.field, words.kind, words.limits].map((head) => (
              <th role="columnheader" key={head} scope="col" className="py-1.5 pr-4 font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {fields.map((placed) => (
            <Row key={placed.path} {...placed} mark={markOf(placed, old, version)} />
          ))}
        </tbody>
      </table>
      {before !== null && gone.length > 0 && (
        <p className="mt-2 text-soft">{words.gone(before.version, gone.join(', '))}</p>
      )}
    </>
  );
}

function Row({ path, field, mark }: PlacedField & { readonly mark: string | null }) {
  const depth = path.split('.').length - 1;
  const limits = listLimits(field);
  return (
    <tr role="row" className="border-b border-line/70 max-md:block max-md:py-2">
      <td role="cell" className={`${CELL} max-md:block`}>
        <code className="font-mono text-xs break-all">
          <span className="text-faint">{depth === 0 ? '' : path.slice(0, path.length - field.name.length)}</span>
          <span className="font-medium">{field.name}</span>
        </code>
        <span className="ml-2 text-xs whitespace-nowrap text-soft">
          {field.isRequired ? words.required : words.optional}
        </span>
        {field.isSensitive && <Mark text={words.sensitive} />}
        {mark !== null && <Mark text={mark} />}
      </td>
      <td role="cell" className={`${CELL} text-soft max-md:inline-block`}>
        {nameKind(field)}
      </td>
      <td role="cell" className={`${CELL} max-md:block`}>
        {limits.map((line) => (
          <span
            key={line}
            className={`mr-3 inline-block break-words ${isCode(line, field) ? 'font-mono text-xs' : ''}`}
          >
            {line}
          </span>
        ))}
        {field.description !== null && <p className="text-soft">{field.description}</p>}
      </td>
    </tr>
  );
}

const isCode = (line: string, { kind, schema }: Field): boolean => line === schema['pattern'] || kind === 'choice';

const Mark = ({ text }: { readonly text: string }) => (
  <span className="ml-2 rounded-full bg-accent-wash px-2 text-xs whitespace-nowrap text-accent">{text}</span>
);

function markOf({ path, field }: PlacedField, old: Map<string, PlacedField> | null, version: number): string | null {
  if (old === null) return null;
  const before = old.get(path)?.field;
  if (before === undefined) return words.new(version);
  const say = (one: typeof field): string => [nameKind(one), one.isRequired, ...listLimits(one)].join('\n');
  return say(before) === say(field) ? null : words.changed(version);
}

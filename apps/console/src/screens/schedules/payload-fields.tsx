import type { Fault } from '../../api/api-error.js';
import type { Schemas } from '../../api/api-types.js';
import { nameKind } from '../../schema/describe-field.js';
import { flattenFields } from '../../schema/flatten-fields.js';
import { isJson } from '../../schema/print-draft.js';
import { readField } from '../../schema/read-field.js';
import { texts } from '../../texts/texts.js';
import { Labelled } from '../enqueue/labelled.js';
import type { NewSchedule } from './new-schedule.js';

const words = texts.schedules;

interface PayloadFieldsProps {
  readonly types: readonly Schemas['Contract'][];
  readonly made: NewSchedule;
  readonly faults: readonly Fault[];
  readonly onChange: (made: NewSchedule) => void;
}

/** What a new schedule is called and what it enqueues. */
export function PayloadFields({ types, made, faults, onChange }: PayloadFieldsProps) {
  const { key, type, payload } = made;
  const at = (pointer: string): readonly string[] =>
    faults.filter((fault) => fault.pointer === pointer).map(({ message }) => message);
  const contract = types.find((one) => one.type === type);
  const fields =
    contract === undefined
      ? ''
      : flattenFields(readField(contract.versions.at(-1)!.payloadSchema))
          .map(({ path, field }) => `${path} (${nameKind(field)})`)
          .join(', ');
  const notJson = payload.trim() !== '' && !isJson(payload);
  const wrong = faults
    .filter(({ pointer }) => pointer.startsWith('/payload'))
    .map(({ pointer, message }) => `${pointer.slice('/payload'.length)} ${message}`.trim());
  return (
    <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 max-md:grid-cols-1">
      <Labelled label={words.newKey} hint={words.newKeyHint} faults={at('/key')}>
        {(props) => (
          <input
            {...props}
            value={key}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that somebody has opened
            autoFocus
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange({ ...made, key: target.value })}
          />
        )}
      </Labelled>
      <Labelled label={words.newType} faults={at('/type')}>
        {(props) => (
          <select {...props} value={type} onChange={({ target }) => onChange({ ...made, type: target.value })}>
            {types.map((one) => (
              <option key={one.type} value={one.type}>
                {one.type}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <div className="col-span-full">
        <Labelled
          label={words.newPayload}
          hint={`${fields === '' ? '' : `${words.newFields(fields)} `}${words.newPayloadHint}`}
          faults={notJson ? [words.newNotJson] : wrong}
        >
          {(props) => (
            <textarea
              {...props}
              value={payload}
              spellCheck={false}
              className={`${props.className} h-24! py-2 font-mono text-xs`}
              onChange={({ target }) => onChange({ ...made, payload: target.value })}
            />
          )}
        </Labelled>
      </div>
    </div>
  );
}

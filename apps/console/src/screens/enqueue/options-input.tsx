import { Fragment } from 'react';
import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { JOB_OPTIONS, type JobOptions, OPTION_NAMES } from './job-options.js';
import { Labelled } from './labelled.js';

interface OptionsInputProps {
  readonly defaults: Schemas['Contract']['defaults'];
  readonly options: JobOptions;
  readonly onChange: (options: JobOptions) => void;
  readonly faults: ReadonlyMap<string, readonly string[]>;
}

const words = texts.enqueue;

/** When a job runs, and what else may be said about it. What is left empty is as the type says. */
export function OptionsInput({ defaults, options, onChange, faults }: OptionsInputProps) {
  const input = (name: keyof JobOptions, label: string, hint: string, mode?: 'numeric' | 'decimal') => (
    <Labelled label={label} hint={hint} faults={faults.get(`/${name}`) ?? []}>
      {(props) => (
        <input
          {...props}
          value={options[name]}
          inputMode={mode}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange({ ...options, [name]: target.value })}
        />
      )}
    </Labelled>
  );
  return (
    <div className="flex flex-col gap-4">
      <Labelled label={words.when} faults={[]}>
        {(props) => (
          <select
            {...props}
            value={options.when}
            onChange={({ target }) => onChange({ ...options, when: target.value as JobOptions['when'] })}
          >
            {(['now', 'later', 'at'] as const).map((when) => (
              <option key={when} value={when}>
                {words[when]}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {options.when === 'later' && input('delaySeconds', words.delay, '', 'decimal')}
      {options.when === 'at' && input('runAt', words.runAt, '')}
      {OPTION_NAMES.map((name) => {
        const { mode, usual } = JOB_OPTIONS[name];
        const value = usual === undefined ? words.ofType : defaults === null ? null : usual(defaults);
        return (
          <Fragment key={name}>
            {input(name, words.names[name], value === null ? '' : words.unless(value), mode)}
          </Fragment>
        );
      })}
    </div>
  );
}

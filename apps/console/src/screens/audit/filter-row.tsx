import { useEffect, useState } from 'react';
import { texts } from '../../texts/texts.js';
import { CloseIcon } from '../../ui/icons.js';
import { FILTERS, type AuditFilters } from './use-audit.js';

interface FilterRowProps {
  readonly filters: AuditFilters;
  readonly onFilter: (next: Partial<AuditFilters>) => void;
}

const words = texts.audit;
const LOOK = 'h-8 rounded-md border border-line bg-surface px-2 max-md:h-11';

/** Who and since when as inputs; what a click in a row has narrowed as chips that can be taken out. */
export function FilterRow({ filters, onFilter }: FilterRowProps) {
  const chips = FILTERS.filter((name) => name !== 'since' && filters[name] !== undefined);
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <JobInput key={filters.job ?? ''} job={filters.job ?? ''} onJob={(job) => onFilter({ job: job || undefined })} />
      <label className="flex items-center gap-2 text-soft">
        {words.filters.since}
        <select
          className={`${LOOK} text-ink`}
          value={filters.since ?? ''}
          onChange={({ target }) => onFilter({ since: target.value || undefined })}
        >
          <option value="">{words.always}</option>
          {Object.entries(words.sinces).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
          {filters.since !== undefined && !Object.hasOwn(words.sinces, filters.since) && (
            <option value={filters.since}>{filters.since}</option>
          )}
        </select>
      </label>
      {chips.map((name) => (
        <button
          key={name}
          type="button"
          onClick={() => onFilter(name === 'kind' ? { kind: undefined, target: undefined } : { [name]: undefined })}
          className="flex h-7 max-w-full min-w-0 items-center gap-1.5 rounded-full bg-accent-wash pr-1.5 pl-3 text-ink pointer-coarse:h-10"
        >
          <span className="text-soft">{words.filters[name]} </span>
          <span className="truncate">{filters[name]}</span>
          <span className="sr-only"> {words.clear}</span>
          <CloseIcon className="shrink-0" />
        </button>
      ))}
    </div>
  );
}

function JobInput({ job, onJob }: { readonly job: string; readonly onJob: (job: string) => void }) {
  const [text, setText] = useState(job);
  useEffect(() => setText(job), [job]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onJob(text.trim());
      }}
    >
      <label className="flex items-center gap-2 text-soft">
        {words.filters.job}
        <input
          value={text}
          inputMode="numeric"
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
          className={`${LOOK} w-32 font-mono text-xs text-ink`}
        />
      </label>
    </form>
  );
}

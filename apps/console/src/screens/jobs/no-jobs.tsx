import { formatFilter } from '@duework/filter';
import { parseFilter } from '../../parse-filter.js';
import { usePrincipal } from '../../session/use-principal.js';
import { snippets } from '../../texts/snippets.js';
import { texts } from '../../texts/texts.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { StateBox } from '../../ui/problem-state.js';

interface NoJobsProps {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** An empty list says what would fill it: a term less, or the first job. */
export function NoJobs({ filter, onFilter }: NoJobsProps) {
  const parsed = parseFilter(filter);
  const terms = parsed.isOk ? parsed.filter.terms : [];
  const types = usePrincipal().data?.types ?? null;
  const limits = types !== null && <p>{texts.jobs.forTypes(types)}</p>;
  if (terms.length === 0)
    return (
      <StateBox title={texts.jobs.noneTitle}>
        {limits}
        <p>{texts.jobs.noneHint}</p>
        <CopyableLines text={snippets.enqueue} />
      </StateBox>
    );
  return (
    <StateBox title={texts.jobs.emptyTitle}>
      {limits}
      <p>{texts.jobs.emptyHint}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {terms.map((term, index) => (
          <button
            key={formatFilter({ terms: [term] })}
            type="button"
            onClick={() => onFilter(formatFilter({ terms: terms.filter((_, other) => other !== index) }))}
            className="rounded-md border border-line bg-sunken px-2 py-1 font-mono text-xs text-ink line-through decoration-dead hover:border-line-strong"
            aria-label={texts.jobs.without(formatFilter({ terms: [term] }))}
          >
            {formatFilter({ terms: [term] })}
          </button>
        ))}
      </div>
    </StateBox>
  );
}

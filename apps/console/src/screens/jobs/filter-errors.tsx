import type { FilterError } from '@duework/filter';

interface FilterErrorsProps {
  readonly errors: readonly FilterError[];
  readonly text: string;
  readonly onFix: (text: string) => void;
}

/** What is wrong with the filter, in words, and what was meant as a button where that is known. */
export function FilterErrors({ errors, text, onFix }: FilterErrorsProps) {
  return (
    <ul id="filter-errors" aria-live="polite" className="text-dead">
      {errors.map((error) => {
        const fixed = fix(error, text);
        return (
          <li key={`${error.from}${error.code}`} className="mt-1.5 flex flex-wrap items-baseline gap-x-2">
            <code className="rounded bg-dead-wash px-1 font-mono text-xs">
              {text.slice(error.from, error.to) || ' '}
            </code>
            <span>{error.message}</span>
            {fixed === null ? (
              error.hint !== null && <span className="text-soft">{error.hint}</span>
            ) : (
              <button
                type="button"
                // before the input loses the focus, and the list with it
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => onFix(fixed)}
                className="rounded border border-line bg-surface px-1.5 text-ink hover:border-line-strong"
              >
                {error.hint}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The text with what was meant in the place of what is wrong; null: nobody knows. */
function fix({ from, to, hint }: FilterError, text: string): string | null {
  const meant = /^Did you mean (\S+?):?\?$/.exec(hint ?? '')?.[1];
  if (meant === undefined) return null;
  const value = meant.startsWith('status:') ? meant.slice('status:'.length) : meant;
  return text.slice(0, from) + value + text.slice(to);
}

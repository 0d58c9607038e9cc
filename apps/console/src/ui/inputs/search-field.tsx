import type { ComponentProps } from 'react';
import { classNames } from '../class-names.js';
import { SearchIcon } from '../icons.js';

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** A short field that narrows what is below it while somebody types; Escape leaves it. */
export function SearchField({ label, value, onText, className, ...props }: SearchFieldProps) {
  return (
    <label
      className={classNames(
        'flex h-8 w-60 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-soft has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-11',
        className,
      )}
    >
      <SearchIcon className="shrink-0" />
      <span className="sr-only">{label}</span>
      <input
        {...props}
        type="search"
        data-search=""
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onText(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        className="min-w-0 flex-1 bg-transparent text-ink outline-none"
      />
    </label>
  );
}

/** Goes to the field of the screen. */
export const focusSearch = (): void => document.querySelector<HTMLInputElement>('input[data-search]')?.focus();

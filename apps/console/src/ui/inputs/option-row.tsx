import type { ReactNode } from 'react';
import { classNames } from '../class-names.js';

interface OptionRowProps<T extends string> {
  readonly label: string;
  /** The one that is on; undefined: none of them. */
  readonly value: T | undefined;
  readonly options: readonly { readonly id: T; readonly content: ReactNode; readonly isDisabled?: boolean }[];
  readonly onChange: (id: T) => void;
}

/** One of a few, side by side. A row that is too long for a phone scrolls in itself. */
export function OptionRow<T extends string>({ label, value, options, onChange }: OptionRowProps<T>) {
  return (
    <div role="group" aria-label={label} className="flex max-w-full gap-0.5 overflow-x-auto">
      {options.map(({ id, content, isDisabled = false }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === value}
          disabled={isDisabled}
          onClick={() => id !== value && onChange(id)}
          className={classNames(
            'flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm disabled:opacity-50 pointer-coarse:h-10 pointer-coarse:px-3',
            id === value ? 'bg-sunken font-medium text-ink' : 'text-soft hover:text-ink',
          )}
        >
          {content}
        </button>
      ))}
    </div>
  );
}

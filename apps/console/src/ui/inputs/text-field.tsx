import type { ComponentProps } from 'react';
import { classNames } from '../class-names.js';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** A line to write in, with its label above it. */
export function TextField({ label, value, onText, className, ...props }: TextFieldProps) {
  return (
    <label className={classNames('mt-3 flex flex-col gap-1', className)}>
      <span className="text-soft">{label}</span>
      <input
        {...props}
        value={value}
        onChange={({ target }) => onText(target.value)}
        className="h-9 w-full rounded-md border border-line-strong bg-surface px-3 pointer-coarse:h-11"
      />
    </label>
  );
}

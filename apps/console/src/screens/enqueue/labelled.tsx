import { useId, type ReactNode } from 'react';

/** What an input needs to belong to its label, its hint and what is wrong with it. */
export interface InputProps {
  readonly id: string;
  readonly 'aria-invalid': boolean | undefined;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-required'?: boolean;
  readonly className: string;
}

interface LabelledProps {
  readonly label: ReactNode;
  readonly hint?: string;
  readonly faults: readonly string[];
  readonly children: (props: InputProps) => ReactNode;
}

/** An input below its label, with what is wrong below it. */
export function Labelled({ label, hint = '', faults, children }: LabelledProps) {
  const id = useId();
  const isWrong = faults.length > 0;
  const described = [hint === '' ? null : `${id}-hint`, isWrong ? `${id}-fault` : null].filter((one) => one !== null);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="flex flex-wrap items-baseline gap-x-2">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': isWrong || undefined,
        'aria-describedby': described.join(' ') || undefined,
        className: `h-9 w-full min-w-0 rounded-md border bg-surface px-3 max-md:h-11 max-md:text-base ${isWrong ? 'border-dead' : 'border-line-strong'}`,
      })}
      {hint !== '' && (
        <p id={`${id}-hint`} className="text-xs text-faint">
          {hint}
        </p>
      )}
      {isWrong && (
        <p id={`${id}-fault`} className="flex items-baseline gap-1.5 text-dead">
          <span aria-hidden="true" className="font-bold">
            !
          </span>
          {faults.join(' ')}
        </p>
      )}
    </div>
  );
}

import type { ComponentProps } from 'react';
import { classNames } from '../class-names.js';

/** A bar that fills; without a value it says that nobody knows how far. Whoever uses it gives it a name, or a figure beside it. */
export function Bar({ className, ...props }: ComponentProps<'progress'>) {
  return (
    <progress
      {...props}
      className={classNames(
        'h-1.5 appearance-none overflow-hidden rounded-full bg-running-wash [&::-moz-progress-bar]:bg-running [&::-webkit-progress-bar]:bg-running-wash [&::-webkit-progress-value]:bg-running',
        className,
      )}
    />
  );
}

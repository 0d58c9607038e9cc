import type { ComponentProps } from 'react';
import { classNames } from '../class-names.js';

const KINDS = {
  plain: 'border-line bg-surface text-ink hover:border-line-strong hover:bg-raised',
  primary: 'border-accent bg-accent text-on-accent hover:opacity-90',
  danger: 'border-dead/40 bg-dead-wash text-dead hover:border-dead',
  quiet: 'border-transparent bg-transparent text-soft hover:bg-sunken hover:text-ink',
} as const;

export type ButtonKind = keyof typeof KINDS;

/** The look of a button, for what is one and is no `<button>`: a link, the trigger of a menu. */
export const buttonLook = (kind: ButtonKind = 'plain'): string =>
  classNames(
    'inline-flex h-7 items-center justify-center gap-1.5 rounded-md border px-2.5 text-sm font-medium whitespace-nowrap select-none',
    'disabled:opacity-50 disabled:pointer-events-none pointer-coarse:h-10 pointer-coarse:px-3.5',
    KINDS[kind],
  );

export function Button({ kind, className, ...props }: ComponentProps<'button'> & { readonly kind?: ButtonKind }) {
  return <button type="button" {...props} className={classNames(buttonLook(kind), className)} />;
}

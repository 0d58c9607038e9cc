import { formatFilter, type JobFilterTerm } from '@duework/filter';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { classNames } from './class-names.js';

interface FilterLinkProps {
  /** What the jobs have, by field; one without a value is left out. */
  readonly fields: Readonly<Partial<Record<'status' | 'type' | 'queue' | 'worker' | 'key', string | undefined>>>;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Leads to the jobs of a queue, a type, a worker … */
export function FilterLink({ fields, className, children }: FilterLinkProps) {
  const filter = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([field, value]) => formatFilter({ terms: [{ field, isNot: false, values: [value] } as JobFilterTerm] }))
    .join(' ');
  return (
    <Link
      to="/jobs"
      search={{ filter, cursor: undefined, columns: undefined }}
      className={classNames('linked', className)}
    >
      {children}
    </Link>
  );
}

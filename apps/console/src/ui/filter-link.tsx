import { formatFilter, type JobFilterTerm } from '@duework/filter';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useQueueBehind } from '../session/use-refusal.js';
import { classNames } from './class-names.js';

/** What jobs have, by field; one without a value is left out, and `type` and `status` may be several (a,b). */
export type FilterFields = Readonly<
  Partial<
    Record<
      'status' | 'type' | 'queue' | 'worker' | 'key' | 'held' | 'gate' | 'batch' | 'bulk' | 'code',
      string | undefined
    >
  >
>;

interface FilterLinkProps {
  readonly fields: FilterFields;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Leads to the jobs of a queue, a type, a worker …, where the queue lists jobs by it. */
export function FilterLink({ fields, className, children }: FilterLinkProps) {
  const asked = useQueueBehind()?.filters ?? null;
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  // jobs that cannot be listed by it are not led to
  if (given.some(([field]) => asked?.includes(field) === false)) return <span className={className}>{children}</span>;
  const filter = given
    .map(([field, value]) => {
      // a bulk action over several databases has an id of each
      const values =
        field === 'type' || field === 'status' ? value!.split(',') : field === 'bulk' ? value!.split('~') : [value];
      return formatFilter({ terms: [{ field, isNot: false, values } as JobFilterTerm] });
    })
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

import { found, type Finding } from '../findings.js';
import type { RowSecurityFacts } from '../sql/read-row-security.js';

/** What some services and event triggers switch on for every table: whoever has no policy sees an empty queue, and no error. */
export function judgeRowSecurity({ role, tables }: RowSecurityFacts): Finding[] {
  const closed = tables.filter(({ isOpen }) => !isOpen);
  if (closed.length === 0) return [];
  const whom = closed.some(({ isActive }) => isActive) ? `the role ${role}, among others` : 'every role but its owner';
  return [
    found(
      'row_security_on',
      'row-level security',
      `Row-level security hides the rows of ${closed.length} tables of the schema duework from ${whom}: ${closed
        .slice(0, 3)
        .map(({ name }) => name)
        .join(', ')}${closed.length > 3 ? ' …' : ''}.`,
      'Rights keep tables apart already. As the owner of the schema run, for each: ALTER TABLE duework.<table> DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY; and leave the schema out of what switches it on.',
    ),
  ];
}

import type { Origin } from '../../origin/origin.js';
import { found, type Finding } from '../findings.js';

/** A database that was restored elsewhere, or made from another one: no worker starts until somebody says what it is. */
export function judgeOrigin({ database, noted, here, isAtHome }: Origin): Finding[] {
  if (isAtHome) return [];
  return [
    found(
      'database_copied',
      `database ${database}`,
      `Workers have known this database at ${noted}, and it is at ${here}: no worker starts.`,
      'Is it a copy, run: npx duework origin empty. Has the system itself moved here, run: npx duework origin moved',
    ),
  ];
}

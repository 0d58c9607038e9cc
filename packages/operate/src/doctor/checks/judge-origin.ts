import type { Origin } from '../../origin/origin.js';
import { found, type Finding } from '../findings.js';

/** A database that was restored elsewhere, or made from another one: no worker starts until somebody says what it is. */
export function judgeOrigin({ database, noted, here, whyNotAtHome, seenAt }: Origin): Finding[] {
  if (whyNotAtHome === null) return [];
  return [
    found(
      'database_copied',
      `database ${database}`,
      whyNotAtHome === 'copied'
        ? `Workers have known this database at ${noted}, and it is at ${here}: no worker starts.`
        : `The server has begun another timeline since workers were here, ${seenAt} the last time, as after a restored backup: no worker starts.`,
      'Is it a copy, run: npx duework origin empty. Was it restored from a backup, run: npx duework origin restored. Has the system itself moved here, run: npx duework origin moved',
    ),
  ];
}

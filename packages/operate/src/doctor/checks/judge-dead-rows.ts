import type { DoctorLimits } from '../doctor-limits.js';
import { found, type Finding } from '../findings.js';
import type { TableFacts } from '../sql/read-tables.js';

/** Tables that have more dead rows than live ones, many of them, and no vacuum lately. */
export function judgeDeadRows(tables: readonly TableFacts[], limits: DoctorLimits): Finding[] {
  return tables
    .filter(({ live, dead }) => dead >= limits.deadRows && dead > live)
    .filter(({ vacuumAgeSeconds: age }) => age === null || age >= limits.vacuumAgeSeconds)
    .map(({ name, live, dead, vacuumAgeSeconds: age }) =>
      found(
        'dead_rows',
        `table ${name}`,
        `${name} has ${dead} dead rows beside ${live} live ones, and ${age === null ? 'no vacuum is known' : `the last vacuum was ${Math.round(age / 60)} minutes ago`}.`,
        `Run: VACUUM duework.${name}; and see that autovacuum is on and has workers free (autovacuum_max_workers).`,
      ),
    );
}

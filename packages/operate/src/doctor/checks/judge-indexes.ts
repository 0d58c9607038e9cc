import type { DoctorLimits } from '../doctor-limits.js';
import { expectedSchema } from '../generated/expected-schema.js';
import { found, type Finding } from '../findings.js';
import { formatBytes } from '../format-bytes.js';
import type { IndexFacts } from '../sql/read-indexes.js';

/** Indexes that cost and do not serve: half built, made by nobody of us, or mostly empty. */
export function judgeIndexes(
  indexes: readonly IndexFacts[],
  limits: DoctorLimits,
  expected: ReadonlySet<string> = expectedIndexes,
): Finding[] {
  return indexes.flatMap((index) => {
    const { name, isValid, isPart } = index;
    if (!isValid) return [invalid(index, expected.has(name))];
    const isAdded = !isPart && !expected.has(name);
    return [...(isAdded ? [added(index)] : []), ...judgeBloat(index, limits)];
  });
}

const expectedIndexes: ReadonlySet<string> = new Set(
  expectedSchema.things.filter(({ kind }) => kind === 'index').map(({ name }) => name),
);

function invalid({ name, table }: IndexFacts, isExpected: boolean): Finding {
  const fix = isExpected ? `REINDEX INDEX CONCURRENTLY duework.${name};` : `DROP INDEX CONCURRENTLY duework.${name};`;
  const sentence = `The index ${name} of ${table} was not built to its end: every write pays for it, and no query uses it.`;
  return found('index_invalid', `index ${name}`, sentence, `Run: ${fix}`);
}

function added({ name, table, scans, bytes }: IndexFacts): Finding {
  const size = formatBytes(bytes);
  return scans === 0
    ? found(
        'index_unused',
        `index ${name}`,
        `The index ${name} of ${table} (${size}) comes from no migration, and no query has used it since the statistics began.`,
        `Run: DROP INDEX CONCURRENTLY duework.${name};`,
      )
    : found(
        'index_added',
        `index ${name}`,
        `The index ${name} of ${table} (${size}) is made by no migration; it was read ${scans} times, and every write pays for it.`,
        table === 'job_runs'
          ? 'Read from a copy or from the history instead: an index of job_runs that names a column of claims makes each claim slower.'
          : `Where what reads it is worth the writes, keep it; else run: DROP INDEX CONCURRENTLY duework.${name};`,
      );
}

function judgeBloat({ name, table, bytes, neededBytes }: IndexFacts, limits: DoctorLimits): Finding[] {
  if (neededBytes === null) return [];
  const empty = bytes - neededBytes;
  if (empty < limits.bloatBytes || empty < bytes * limits.bloatShare) return [];
  return [
    found(
      'index_bloated',
      `index ${name}`,
      `The index ${name} of ${table} takes ${formatBytes(bytes)}, and its entries would take about ${formatBytes(neededBytes)}.`,
      `Run: REINDEX INDEX CONCURRENTLY duework.${name};`,
    ),
  ];
}

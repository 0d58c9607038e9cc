import type { DoctorLimits } from '../doctor-limits.js';
import { isOwnIndex, stateOfIndex } from '../../indexes/state-of-index.js';
import { found, type Finding } from '../findings.js';
import { formatBytes } from '../format-bytes.js';
import type { IndexFacts } from '../sql/read-indexes.js';

/** Indexes that cost and do not serve: half built, made by nobody of us, or mostly empty. */
export function judgeIndexes(
  indexes: readonly IndexFacts[],
  limits: DoctorLimits,
  expected?: ReadonlySet<string>,
): Finding[] {
  return indexes.flatMap((index) => {
    const isOwn = isOwnIndex(index, expected);
    const addition = isOwn ? [] : [added(index)];
    switch (stateOfIndex(index, limits)) {
      case 'in_work':
        return [];
      case 'left_over':
        return [leftOver(index)];
      case 'unbuilt':
        return [unbuilt(index, isOwn)];
      case 'bloated':
        return [...addition, bloated(index, isOwn)];
      case 'good':
        return addition;
    }
  });
}

/** Does by itself what the statement does, and waits for nobody. */
const REBUILD = 'npx duework indexes --rebuild';

function unbuilt({ name, table }: IndexFacts, isOwn: boolean): Finding {
  const fix = isOwn ? REBUILD : `DROP INDEX CONCURRENTLY duework.${name};`;
  const sentence = `The index ${name} of ${table} was not built to its end: every write pays for it, and no query uses it.`;
  return found('index_invalid', `index ${name}`, sentence, `Run: ${fix}`);
}

function leftOver({ name, table }: IndexFacts): Finding {
  const sentence = `The index ${name} of ${table} is left over from a rebuild that was not finished: writes may pay for it, and no query uses it.`;
  const fix = `Run: ${REBUILD}; or in SQL: DROP INDEX CONCURRENTLY duework.${name};`;
  return found('index_invalid', `index ${name}`, sentence, fix);
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

function bloated({ name, table, bytes, neededBytes }: IndexFacts, isOwn: boolean): Finding {
  return found(
    'index_bloated',
    `index ${name}`,
    `The index ${name} of ${table} takes ${formatBytes(bytes)}, and its entries would take about ${formatBytes(neededBytes!)}.`,
    `Run: ${isOwn ? `${REBUILD}; or in SQL: ` : ''}REINDEX INDEX CONCURRENTLY duework.${name};`,
  );
}

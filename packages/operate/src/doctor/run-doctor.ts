import { readUnservedJobs, type Transactable } from '@duework/queue-core';
import { DueworkError } from '@duework/sql/errors';
import { judgeConnections } from './checks/judge-connections.js';
import { judgeDeadRows } from './checks/judge-dead-rows.js';
import { judgeIndexes } from './checks/judge-indexes.js';
import { judgeKeys } from './checks/judge-keys.js';
import { judgeLedger } from './checks/judge-ledger.js';
import { judgeOrigin } from './checks/judge-origin.js';
import { judgePartitions } from './checks/judge-partitions.js';
import { judgePins } from './checks/judge-pins.js';
import { judgePrograms } from './checks/judge-programs.js';
import { judgeReplication } from './checks/judge-replication.js';
import { judgeRowSecurity } from './checks/judge-row-security.js';
import { judgeSchema } from './checks/judge-schema.js';
import { judgeServer } from './checks/judge-server.js';
import { judgeTypes } from './checks/judge-types.js';
import { judgeSize } from './checks/judge-size.js';
import { judgeZone } from './checks/judge-zone.js';
import { DOCTOR_LIMITS, type DoctorLimits } from './doctor-limits.js';
import { found, type Finding } from './findings.js';
import { readOrigin } from '../origin/origin.js';
import { describeSchema } from './sql/describe-schema.js';
import { readConnections } from './sql/read-connections.js';
import { readDeclarations } from './sql/read-declarations.js';
import { readEndingKeys } from './sql/read-ending-keys.js';
import { readIndexes } from './sql/read-indexes.js';
import { readLedger } from './sql/read-ledger.js';
import { readPartitions } from './sql/read-partitions.js';
import { readPins } from './sql/read-pins.js';
import { readReplication, type Replication } from './sql/read-replication.js';
import { readRowSecurity } from './sql/read-row-security.js';
import { readServer } from './sql/read-server.js';
import { readSize, type DatabaseSize } from './sql/read-size.js';
import { readTables } from './sql/read-tables.js';

export interface DoctorReport {
  /** The worst first. */
  readonly findings: readonly Finding[];
  /** The checks that were made, by name. One that is not here makes no sense on a database in that state. */
  readonly checks: readonly string[];
  /** Whether commits are also on another server. */
  readonly replication: readonly Replication[];
  /** How large the queue is and becomes; empty: it is not migrated, or the role may not ask. */
  readonly sizes: readonly DatabaseSize[];
}

/**
 * Finds current and coming problems of a database. It reads catalogs, statistics and a bounded number of rows, and
 * changes nothing. A check that the role may not make is itself a finding.
 *
 * @param db - not a transaction that others rely on: the search path is emptied in one of its own
 */
export async function runDoctor(db: Transactable, given: Partial<DoctorLimits> = {}): Promise<DoctorReport> {
  const limits = { ...DOCTOR_LIMITS, ...given };
  const findings: Finding[] = [];
  const checks: string[] = [];
  const sizes: DatabaseSize[] = [];
  const check = async <T>(name: string, read: () => Promise<T>, judge: (facts: T) => readonly Finding[]) => {
    const found = await readOrRefuse(name, read, judge);
    checks.push(name);
    findings.push(...found);
    return found;
  };

  const server = await check(
    'server',
    () => readServer(db),
    (facts) => [...judgeServer(facts, limits), ...judgeZone(facts)],
  );
  const isTooOld = server.some(({ code }) => code === 'server_version_unsupported');
  await check(
    'connections',
    () => readConnections(db),
    (facts) => judgeConnections(facts, limits),
  );
  const replicated = await readReplication(db);
  await check(
    'replication',
    () => Promise.resolve(replicated),
    (facts) => judgeReplication(facts, limits.isReplicated),
  );
  const ledger = isTooOld
    ? []
    : await check(
        'migrations',
        () => readLedger(db),
        (facts) => judgeLedger(facts),
      );
  const isMigrated = !isTooOld && !ledger.some(({ code }) => code === 'not_migrated' || code === 'check_not_allowed');
  if (isMigrated) {
    // a newer release has made more than this one knows
    if (ledger.length === 0) {
      await check(
        'schema',
        () => describeSchema(db),
        (facts) => judgeSchema(facts),
      );
      await check(
        'indexes',
        () => readIndexes(db),
        (facts) => judgeIndexes(facts, limits),
      );
    }
    await check('row security', () => readRowSecurity(db), judgeRowSecurity);
    await check('origin', () => readOrigin(db), judgeOrigin);
    await check('partitions', () => readPartitions(db, limits.partitionDays), judgePartitions);
    await check(
      'dead rows',
      () => readTables(db),
      (facts) => judgeDeadRows(facts, limits),
    );
    await check(
      'snapshots',
      () => readPins(db),
      (facts) => judgePins(facts, limits),
    );
    await check(
      'size',
      async () => {
        const size = await readSize(db);
        sizes.push(size);
        return size;
      },
      judgeSize,
    );
    await check('types', () => readUnservedJobs(db), judgeTypes);
    await check(
      'programs',
      () => readDeclarations(db),
      (facts) => judgePrograms(facts, limits),
    );
    await check('keys', () => readEndingKeys(db, limits.keyDays), judgeKeys);
  }
  const rank = ({ severity }: Finding): number => (severity === 'error' ? 0 : 1);
  const { waitsFor, commits, standbys } = replicated;
  return {
    findings: findings.sort((a, b) => rank(a) - rank(b)),
    checks,
    replication: [{ waitsFor, commits, standbys }],
    sizes,
  };
}

async function readOrRefuse<T>(
  name: string,
  read: () => Promise<T>,
  judge: (facts: T) => readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return judge(await read());
  } catch (error) {
    if (!DueworkError.is(error, 'permission_denied')) throw error;
    const { role, has, needs, reason } = error.facts;
    const to = role ?? '<role>';
    const lacks = needs.find((one) => !has.includes(one)) ?? 'duework_operator';
    return [
      found(
        'check_not_allowed',
        `check ${name}`,
        `The check of ${name} was not made: ${reason}.`,
        `Ask as the owner of the schema, or as an administrator run: npx duework roles --grant ${lacks} --to ${to}; and in SQL: GRANT pg_monitor TO ${to};`,
      ),
    ];
  }
}

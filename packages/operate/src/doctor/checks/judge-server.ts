import type { DoctorLimits } from '../doctor-limits.js';
import { found, type Finding } from '../findings.js';
import type { ServerFacts } from '../sql/read-server.js';

/** The oldest major version that Duework uses. */
export const OLDEST_MAJOR = 14;

/** The version of PostgreSQL, and the settings that a queue's promises stand on. */
export function judgeServer(facts: ServerFacts, limits: DoctorLimits): Finding[] {
  return [
    ...judgeVersion(facts, limits),
    ...judgeWrites(facts),
    ...judgeNotifications(facts),
    ...judgeSession(facts, limits),
  ];
}

function judgeVersion({ version, major, today }: ServerFacts, { endOfMajor }: DoctorLimits): Finding[] {
  const about = `PostgreSQL ${version}`;
  if (major < OLDEST_MAJOR)
    return [
      found('server_version_unsupported', about, `This is ${about}.`, `Use PostgreSQL ${OLDEST_MAJOR} or newer.`),
    ];
  const end = endOfMajor[major];
  if (end === undefined || today <= end) return [];
  const sentence = `PostgreSQL ${major} gets no fixes any more since ${end}.`;
  return [found('server_version_ended', about, sentence, 'Move the database to a newer major version.')];
}

function judgeWrites({ isStandby, settings, database }: ServerFacts): Finding[] {
  const findings: Finding[] = [];
  if (isStandby)
    findings.push(
      found('server_read_only', 'server', 'This server is a standby and takes no writes.', 'Name the primary.'),
    );
  for (const name of ['fsync', 'full_page_writes'])
    if (settings[name] === 'off')
      findings.push(
        found(
          'durability_off',
          `setting ${name}`,
          `${name} is off: when the server crashes, the database may be lost.`,
          `Run: ALTER SYSTEM SET ${name} = on; SELECT pg_reload_conf();`,
        ),
      );
  if (settings['synchronous_commit'] === 'off')
    findings.push(
      found(
        'commits_not_durable',
        'setting synchronous_commit',
        'synchronous_commit is off: when the server crashes, the last jobs are forgotten and the last effects done twice.',
        `Set it on for those who enqueue and work: ALTER DATABASE ${database} SET synchronous_commit = on;`,
      ),
    );
  for (const name of ['autovacuum', 'track_counts'])
    if (settings[name] === 'off')
      findings.push(
        found(
          'autovacuum_off',
          `setting ${name}`,
          `${name} is off, so the dead rows that every job leaves stay.`,
          `Run: ALTER SYSTEM SET ${name} = on; SELECT pg_reload_conf();`,
        ),
      );
  return findings;
}

/** A commit of another program that notifies fails once the queue is full; Duework sends none from the half on. */
function judgeNotifications({ notifications }: ServerFacts): Finding[] {
  if (notifications < 0.1) return [];
  return [
    found(
      'notifications_stuck',
      'the server',
      `${Math.round(notifications * 100)} % of the queue of notifications is taken; from 50 % on workers find jobs by polling alone.`,
      `End the session that listens and has been in a transaction for long: SELECT pid, application_name, xact_start FROM pg_stat_activity WHERE state LIKE 'idle in%' ORDER BY xact_start;`,
    ),
  ];
}

function judgeSession({ settings, database, role }: ServerFacts, { statementTimeoutMs }: DoctorLimits): Finding[] {
  const findings: Finding[] = [];
  const where = `of the database ${database} or of the role ${role}`;
  if (settings['default_transaction_read_only'] === 'on')
    findings.push(
      found(
        'server_read_only',
        'setting default_transaction_read_only',
        'New transactions may not write: default_transaction_read_only is on.',
        `Take the setting ${where} away: ALTER DATABASE ${database} RESET default_transaction_read_only;`,
      ),
    );
  const isolation = settings['default_transaction_isolation'];
  if (isolation !== 'read committed')
    findings.push(
      found(
        'isolation_changed',
        'setting default_transaction_isolation',
        `Transactions begin as ${isolation}, so that claims and settlements which meet are refused (40001) and tried again.`,
        `Take the setting ${where} away: ALTER DATABASE ${database} RESET default_transaction_isolation;`,
      ),
    );
  const timeoutMs = Number(settings['statement_timeout']);
  if (timeoutMs > 0 && timeoutMs < statementTimeoutMs)
    findings.push(
      found(
        'statement_timeout_short',
        'setting statement_timeout',
        `Statements are cancelled after ${timeoutMs} ms, migrations and retention among them.`,
        `Let the role of workers have ${statementTimeoutMs} ms or more: ALTER ROLE ${role} SET statement_timeout = ${statementTimeoutMs};`,
      ),
    );
  return findings;
}

import { found, type Finding } from '../findings.js';
import type { ReplicationFacts } from '../sql/read-replication.js';

/** Values of synchronous_commit with which a commit waits for no other server. */
const ALONE = new Set(['off', 'local']);

/**
 * Whether commits are also on another server. Where nothing asks for that, nothing is wrong: one server is enough for
 * many. Where it is required, or the server asks for it, sessions have to wait, and somebody has to be there to wait
 * for.
 */
export function judgeReplication(facts: ReplicationFacts, isRequired: boolean): Finding[] {
  if (facts.waitsFor === '')
    return isRequired
      ? [
          found(
            'not_replicated',
            'setting synchronous_standby_names',
            'No commit waits for another server: what was acknowledged last is lost with this machine.',
            `Name the standbys: ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (…)'; SELECT pg_reload_conf();`,
          ),
        ]
      : [];
  return [...judgeSessions(facts), ...judgeStandbys(facts)];
}

function judgeSessions({ commits, others, database }: ReplicationFacts): Finding[] {
  const alone = others.filter((other) => ALONE.has(other.commits));
  // what the session has from a place that is named below is not told twice
  if (ALONE.has(commits) && !alone.some((other) => other.commits === commits))
    alone.unshift({ of: 'this session', commits });
  return alone.map(({ of, commits: how }) =>
    found(
      'commits_not_replicated',
      of,
      `Sessions wait for no standby, although synchronous_standby_names asks for it: synchronous_commit is ${how} (${of}).`,
      of.startsWith('role ')
        ? `Run: ALTER ROLE ${of.replace(/^role /, '').replace(/ in database /, ' IN DATABASE ')} SET synchronous_commit = on;`
        : `Run: ALTER DATABASE ${database} SET synchronous_commit = on;`,
    ),
  );
}

function judgeStandbys({ waitsFor, standbys }: ReplicationFacts): Finding[] {
  if (standbys === null || standbys.filter(({ isCounted }) => isCounted).length >= countOf(waitsFor)) return [];
  const names = standbys.map(({ name }) => name).join(', ');
  const there = names === '' ? 'none of them is there' : `no more are there than ${names}`;
  return [
    found(
      'standbys_missing',
      'setting synchronous_standby_names',
      `Commits wait for ${waitsFor}, and ${there}: nothing can be written.`,
      'Bring a standby back; where there is none any more, and only then, empty synchronous_standby_names.',
    ),
  ];
}

/** How many standbys a commit waits for: 2 of `FIRST 2 (a, b, c)`, 1 of `a, b`. */
function countOf(waitsFor: string): number {
  return Number(/^\s*(?:ANY|FIRST)?\s*(\d+)\s*\(/i.exec(waitsFor)?.[1] ?? 1);
}

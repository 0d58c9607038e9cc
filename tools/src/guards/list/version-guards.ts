import type { Guard, NamedTest } from '../guard.js';
import { core, cut, migration, schedules, storeCase } from './places.js';

const contracts = (file: string): string => `packages/contracts/src/${file}`;
const test = (file: string, title: string): NamedTest => ({ file, title });
const unread = storeCase(
  'upkeep-cases',
  'what no worker that lives can read raises an alert, which names its type, version and queue',
);

export const versionGuards: readonly Guard[] = [
  {
    name: 'claim-version',
    says: 'a claim takes only what its worker can read',
    edits: [
      cut(
        core('sql/claim-runs.ts'),
        'claim-version',
        'AND (${isReadable(readable)} OR j.job_type = ANY(${readable.types}::text[]))',
      ),
    ],
    tests: [
      storeCase(
        'claim-cases',
        'a worker takes only the versions it can read; the others wait, uncharged and as they are, and hold up nobody behind them',
      ),
      test(
        core('engine/rolling-deploy.test.ts'),
        'a deploy rolls forward, back and forward while both versions are enqueued: nothing is dead or lost, each run runs once, and gets the shape of its worker',
      ),
    ],
  },
  {
    name: 'listener-version',
    says: 'a wake-up chooses among workers that read the same versions',
    edits: [cut(core('create-worker.ts'), 'listener-version', 'return [...contractOf.keys()];')],
    tests: [test(core('engine/job-versions.test.ts'), 'wake-ups choose among workers that read the same versions')],
  },
  {
    name: 'lift-parsed',
    says: 'what a step returns is parsed by the schema of the next version',
    edits: [
      cut(contracts('read-payload.ts'), 'lift-parsed', 'void payload; reading = { success: true, data: lifted };'),
    ],
    tests: [
      {
        file: contracts('read-payload.test.ts'),
        title: 'that %s refuses is not read, and the reason names the version and the step',
        of: 'the schema after a step',
      },
      {
        file: core('engine/job-versions.test.ts'),
        title: 'a run is dead where %s, and its error names the version and the step, and no value',
        of: 'today’s schema refuses what a step returns',
      },
    ],
  },
  {
    name: 'attempt-lifted',
    says: 'a handler gets today’s payload',
    edits: [
      cut(core('engine/run-attempt.ts'), 'attempt-lifted', (text) =>
        text.replace('context.run.version', 'contract.version'),
      ),
    ],
    tests: [
      test(
        core('engine/job-versions.test.ts'),
        'a handler gets today’s payload, whatever version the run was stored with; the run keeps what it was',
      ),
    ],
  },
  {
    name: 'tick-version',
    says: 'a ticker leaves a schedule to one that can read its payload',
    edits: [
      cut(
        schedules('sql/lock-due-schedules.ts'),
        'tick-version',
        '${isReadable(readableVersions(contracts))} OR j.job_type = ANY(${[...contracts.keys()]}::text[])',
      ),
    ],
    tests: [
      test(
        schedules('tick-schedules.test.ts'),
        'is left to a process that can read its version, and after five minutes reported',
      ),
    ],
  },
  {
    name: 'slot-lifted',
    says: 'a slot’s payload is lifted from the version that the schedule was saved with',
    edits: [cut(schedules('slot-payload.ts'), 'slot-lifted', 'void readPayload; return rendered;')],
    tests: [
      test(
        schedules('slot-payload.test.ts'),
        'a schedule that was saved with an older version makes runs in today’s shape, with today’s key, by the clock and by hand',
      ),
    ],
  },
  {
    name: 'unread-live',
    says: 'a worker that was not heard of for three minutes reads nothing',
    edits: [
      {
        file: migration('20261120120000_duework'),
        find: "AND w.seen_at > now() - interval '3 minutes'",
        replace: '',
      },
    ],
    tests: [unread],
  },
  {
    name: 'unread-forgotten',
    says: 'a worker that was found gone reads nothing',
    edits: [cut(core('sql/forget-workers.ts'), 'unread-forgotten', 'SELECT')],
    tests: [test(core('sql/look-for-lost.test.ts'), 'forgets what it could run as well, and nothing of the others')],
  },
  {
    name: 'unread-stopped',
    says: 'a worker that stops reads nothing any more',
    edits: [cut(core('create-worker.ts'), 'unread-stopped', 'const unregistered = Promise.resolve();')],
    tests: [
      test(
        core('engine/job-versions.test.ts'),
        'what a worker can run is on record while it lives, and not when it has stopped',
      ),
    ],
  },
];

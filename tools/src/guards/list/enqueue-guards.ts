import type { Guard, NamedTest } from '../guard.js';
import { core, migration, storeCase } from './places.js';

const insert = core('sql/insert-runs.ts');
const test = (title: string): NamedTest => ({ file: core('enqueue.test.ts'), title });

export const enqueueGuards: readonly Guard[] = [
  {
    name: 'key-unique',
    says: 'an idempotency key is unique',
    edits: [
      {
        file: migration('20261120120000_duework'),
        find: 'CONSTRAINT job_keys_pkey PRIMARY KEY (job_type, key),',
        replace: '',
      },
      { file: insert, find: 'ON CONFLICT (job_type, key) DO UPDATE SET', replace: '/* ON CONFLICT' },
      { file: insert, find: 'ELSE k.expires_at END\n', replace: 'ELSE k.expires_at END */\n' },
    ],
    tests: [
      test('two producers that race on one key get one run'),
      storeCase('key-cases', 'a duplicate key returns the run that exists and says so'),
    ],
  },
  {
    name: 'key-order',
    says: 'keys are taken in one order by everybody',
    edits: [
      {
        file: insert,
        find: 'ORDER BY type, key, position\n',
        replace: 'ORDER BY type, key, position) AS ordered ORDER BY id\n',
      },
      {
        file: insert,
        find: "SELECT DISTINCT ON (type, key) type, key, id, now() + key_window_ms * interval '1 millisecond'\n",
        replace:
          "SELECT type, key, id, until FROM (SELECT DISTINCT ON (type, key) type, key, id, now() + key_window_ms * interval '1 millisecond' AS until\n",
      },
    ],
    tests: [test('keys are taken in one order, whatever the order of the batch')],
  },
  {
    name: 'enqueue-joined',
    says: 'an enqueue writes in the caller’s transaction or not at all',
    edits: [
      {
        file: core('join-transaction.ts'),
        find: 'if (expected !== null && expected !== actual) throw',
        replace: `if (expected !== null && actual === '') throw`,
      },
    ],
    tests: [test('an extension that runs raw queries outside of it is found out, and nothing is written')],
  },
  {
    name: 'notify-throttle',
    says: 'not every enqueue notifies',
    edits: [{ file: core('take-queues-to-wake.ts'), find: '>= gapMs', replace: '>= gapMs - gapMs' }],
    tests: [
      { file: core('take-queues-to-wake.test.ts'), title: 'never one notification per run, however fast they come' },
    ],
  },
  {
    name: 'definition-version',
    says: 'an older contract never overwrites a newer one',
    edits: [
      { file: core('sql/register-definitions.ts'), find: '    WHERE excluded.version >= d.version\n', replace: '' },
    ],
    tests: [
      { file: core('operate.test.ts'), title: 'while old and new workers run side by side, the newer contract stays' },
    ],
  },
  {
    name: 'alert-once',
    says: 'an alert is raised once an hour, by one worker',
    edits: [
      { file: core('sql/raise-alerts.ts'), find: `    WHERE a.raised_at <= now() - interval '1 hour'\n`, replace: '' },
    ],
    tests: [
      {
        file: core('operate.test.ts'),
        title: 'more dead runs within an hour than allowed raise one alert, told by one worker, once an hour',
      },
    ],
  },
];

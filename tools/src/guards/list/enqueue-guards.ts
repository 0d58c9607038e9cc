import type { Guard, NamedTest } from '../guard.js';
import { core, cut, migration, storeCase } from './places.js';

const insert = core('sql/insert-runs.ts');
const waking = core('take-queues-to-wake.ts');
const test = (title: string): NamedTest => ({ file: core('enqueue.test.ts'), title });
const ofWaking = (title: string): NamedTest => ({ file: core('take-queues-to-wake.test.ts'), title });
const operating = (title: string): NamedTest => ({ file: core('operate.test.ts'), title });
const KEY = 'type, key, id, now() + key_window_ms * interval';

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
      cut(insert, 'key-unique'),
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
      cut(
        insert,
        'key-order',
        (text) =>
          `SELECT type, key, id, until FROM (\n${text.replace(`${KEY} '1 millisecond'`, `${KEY} '1 millisecond' AS until`)}\n) AS ordered ORDER BY id`,
      ),
    ],
    tests: [test('keys are taken in one order, whatever the order of the batch')],
  },
  {
    name: 'enqueue-joined',
    says: 'an enqueue writes in the caller’s transaction or not at all',
    edits: [
      cut(core('join-transaction.ts'), 'enqueue-joined', (text) =>
        text.replace('expected !== actual', "actual === ''"),
      ),
    ],
    tests: [test('an extension that runs raw queries outside of it is found out, and nothing is written')],
  },
  {
    name: 'call-bound',
    says: 'a process that enqueues has no more calls on their way than its bound',
    edits: [
      cut(core('admit-calls.ts'), 'call-bound', (text) =>
        text.replace('this.#held < this.#maxWaiting', 'this.#held < Infinity * this.#maxWaiting'),
      ),
    ],
    tests: [
      {
        file: core('group-by-key.test.ts'),
        title: 'a process that enqueues through openQueue has a bound: the call beyond it is refused with queue_full',
      },
    ],
  },
  {
    name: 'notify-throttle',
    says: 'not every enqueue notifies',
    edits: [cut(waking, 'notify-throttle', (text) => text.replace('>= gapMs', '>= gapMs - gapMs'))],
    tests: [ofWaking('never one notification per run, however fast they come')],
  },
  {
    name: 'notify-throttle-client',
    says: 'what was told in one database counts for no other',
    edits: [cut(waking, 'notify-throttle-client', 'const client = clientOf(db) === null ? null : toldMsOf;')],
    tests: [ofWaking('a wake-up for one database never suppresses one for another')],
  },
  {
    name: 'definition-version',
    says: 'an older contract never overwrites a newer one',
    edits: [cut(core('sql/register-definitions.ts'), 'definition-version')],
    tests: [operating('while old and new workers run side by side, the newer contract stays')],
  },
  {
    name: 'alert-once',
    says: 'an alert is raised once an hour, by one worker',
    edits: [cut(core('sql/raise-alerts.ts'), 'alert-once')],
    tests: [operating('more dead runs within an hour than allowed raise one alert, told by one worker, once an hour')],
  },
];

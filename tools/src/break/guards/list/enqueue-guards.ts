import type { Guard, NamedTest } from '../guard.js';
import { core, cut, migration } from './places.js';

const functions = migration('20261120120200_enqueue');
const waking = core('wake/take-queues-to-wake.ts');
const test = (title: string): NamedTest => ({ file: core('enqueue/enqueue.test.ts'), title });
const ofWaking = (title: string): NamedTest => ({ file: core('wake/take-queues-to-wake.test.ts'), title });
const operating = (title: string): NamedTest => ({ file: core('queue/operate.test.ts'), title });
const ofKeys = (title: string): NamedTest => ({ file: core('sql/enqueue/enqueue-keys.test.ts'), title });
const ofSharedKeys = (title: string): NamedTest => ({ file: core('enqueue/shared-keys.test.ts'), title });
const proof = (title: string): NamedTest => ({ file: 'packages/clients-test/src/proofs.test.ts', title });
const ofFunctions = (title: string, of?: string): NamedTest => ({
  file: core('sql/enqueue/enqueue-functions.test.ts'),
  title,
  ...(of === undefined ? {} : { of }),
});
const ofSql = (title: string, of?: string): NamedTest => ({
  file: core('sql/enqueue/enqueue-in-sql.test.ts'),
  title,
  ...(of === undefined ? {} : { of }),
});

/** What a function does about a key that is there; `isDropped`: its run is nowhere any more. */
const onConflict = (isDropped: string): string => {
  const take = (column: string, value: string): string =>
    `        ${column} = CASE WHEN k.expires_at <= now() OR ${isDropped} THEN ${value} ELSE k.${column} END`;
  return `      ON CONFLICT ON CONSTRAINT job_keys_pkey DO UPDATE SET
${[take('run_id', 'excluded.run_id'), take('created_at', 'now()'), take('needed_at', 'now()'), take('expires_at', 'excluded.expires_at')].join(',\n')}
`;
};
const SETTINGS_OF_ONE = `  flow jsonb DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql
SECURITY DEFINER
`;
const SEARCH_PATH = 'SET search_path = pg_catalog, pg_temp\n';
const TAKEN_IN_ORDER = `      SELECT DISTINCT ON (types[i.of_kind], i.key)
        types[i.of_kind], i.key, i.id, statement_timestamp() + key_windows_ms[i.of_kind] * interval '1 millisecond'
      FROM input i
      WHERE i.key IS NOT NULL AND i.known_id IS NULL
      ORDER BY types[i.of_kind], i.key, i.position`;

export const enqueueGuards: readonly Guard[] = [
  {
    name: 'key-unique',
    says: 'an idempotency key is unique',
    edits: [
      {
        file: migration('20261120120000_queue'),
        find: 'CONSTRAINT job_keys_pkey PRIMARY KEY (job_type, key),',
        replace: '',
      },
      { file: functions, find: onConflict('k.run_id = gone'), replace: '' },
      { file: functions, find: onConflict('k.run_id = ANY(gone)'), replace: '' },
    ],
    tests: [test('two producers that race on one key get one run')],
  },
  {
    name: 'key-order',
    says: 'keys are taken in one order by everybody',
    edits: [
      {
        file: functions,
        find: TAKEN_IN_ORDER,
        replace: `SELECT * FROM (${TAKEN_IN_ORDER}) AS o (type, key, id, expires_at) ORDER BY o.id`,
      },
    ],
    tests: [test('keys are taken in one order, whatever the order of the batch')],
  },
  {
    name: 'key-look',
    says: 'a key that is held is answered without a lock',
    edits: [
      {
        file: functions,
        find: 'WHERE job_type = enqueue_1.type AND key = enqueue_1.key AND (expires_at <= now()) IS NOT TRUE',
        replace:
          'WHERE job_type = enqueue_1.type AND key = enqueue_1.key AND (expires_at <= now()) IS NOT TRUE FOR UPDATE',
      },
      {
        file: functions,
        find: 'AND k.key = x.key AND (k.expires_at <= now()) IS NOT TRUE',
        replace: 'AND k.key = x.key AND (k.expires_at <= now()) IS NOT TRUE FOR UPDATE',
      },
    ],
    tests: [ofKeys('is answered without a transaction number, a lock or a write')],
  },
  {
    name: 'key-dropped',
    says: 'a key whose run retention has dropped is free',
    edits: [
      { file: functions, find: 'gone := holder;', replace: `RETURN holder || ' 0 succeeded';` },
      {
        file: functions,
        find: 'CASE WHEN f.status IS NULL THEN x.id ELSE x.run_id END',
        replace: 'coalesce(x.id, x.run_id)',
      },
    ],
    tests: [ofKeys('is free when retention has dropped its run')],
  },
  {
    name: 'enqueue-rights',
    says: 'nobody may enqueue who was not given the right',
    edits: [{ file: functions, find: 'REVOKE ALL ON FUNCTION duework.enqueue_1,', replace: 'REVOKE ALL ON FUNCTION' }],
    tests: [ofFunctions('and nobody else may call them')],
  },
  {
    name: 'enqueue-search-path',
    says: 'a function that runs with its owner’s rights looks for names in its own places',
    edits: [{ file: functions, find: SETTINGS_OF_ONE + SEARCH_PATH, replace: SETTINGS_OF_ONE }],
    tests: [ofFunctions('cannot give the functions words of its own')],
  },
  {
    name: 'enqueue-plans',
    says: 'a key is found by its index, also by a plan that was made when the table was small',
    edits: [
      {
        file: functions,
        find: `${SETTINGS_OF_ONE}${SEARCH_PATH}SET enable_seqscan = off\n`,
        replace: SETTINGS_OF_ONE + SEARCH_PATH,
      },
    ],
    tests: [{ ...ofKeys('%s'), of: 'of when there were ten' }],
  },
  {
    name: 'sql-key-given',
    says: 'where a contract makes keys, SQL has to give one',
    edits: [
      cut(
        functions,
        `IF job.has_key AND make_run.idempotency_key IS NULL THEN
          RAISE EXCEPTION 'A % has an idempotency key, which its contract makes in its own code: it has to be given here.',
            job.type
            USING ERRCODE = '22W05', DETAIL = 'invalid_idempotency_key',
              HINT = 'Give idempotency_key => …, as the contract makes it.';
        END IF;`,
      ),
    ],
    tests: [ofSql('%s: %s', `'keyed', '{"n": 1}'`)],
  },
  {
    name: 'sql-rights',
    says: 'nobody may enqueue in SQL who was not given the right',
    edits: [
      {
        file: functions,
        find: 'REVOKE ALL ON FUNCTION duework.check_payload, duework.make_run, duework.enqueue FROM',
        replace: 'REVOKE ALL ON FUNCTION duework.check_payload, duework.make_run FROM',
      },
    ],
    tests: [ofFunctions('and nobody else may call them')],
  },
  {
    name: 'sql-told',
    says: 'a transaction that enqueues many runs in SQL wakes everybody',
    edits: [
      cut(
        functions,
        `told := coalesce(substring(current_setting(counter, true) FROM '^[0-9]{1,3}$')::integer, 0) + 1;`,
        'told := 1;',
      ),
    ],
    tests: [ofSql('wakes workers at the commit, one for a run, and everybody for many')],
  },
  {
    name: 'not-migrated',
    says: 'a database that is older than the program is told by a code',
    edits: [
      cut(
        'packages/sql/src/statement/explain-refusal.ts',
        `const missing = /\\b(duework\\.\\w+)/.exec(String((error as { message?: unknown }).message))?.[1];
        if (state === '3F000' || ((state === '42883' || state === '42P01') && missing !== undefined))
          return new DueworkError('not_migrated', { missing: missing ?? 'the schema duework' }, { cause: error });`,
        (text) => text.replace("state === '3F000'", "state === ''").replace("state === '42883'", "state === ''"),
      ),
    ],
    tests: [ofFunctions('a database that lacks %s is told by not_migrated', 'the schema')],
  },
  {
    name: 'enqueue-joined',
    says: 'an enqueue writes in the caller’s transaction or not at all',
    edits: [
      cut(
        core('sql/enqueue/insert-runs.ts'),
        `if ('left' in answer) throw new DueworkError('not_in_transaction', { expected: expected!, actual: answer.left });`,
        (text) => `${text.replace('throw', "if (answer.left === '') throw")}\n  if ('left' in answer) return [];`,
      ),
    ],
    tests: [test('an extension that runs raw queries outside of it is found out, and nothing is written')],
  },
  {
    name: 'enqueue-unhooked',
    says: 'the proof that an enqueue joined its transaction is left out only where nothing can have led it away',
    edits: [
      cut(
        'packages/sql/src/clients/is-unhooked.ts',
        `const hooks = [
          ...tx._extensions.getAllQueryCallbacks('$none', '$queryRaw'),
          ...tx._extensions.getAllBatchQueryCallbacks(),
        ];
        const own = ownMethods(tx._originalClient);
        return hooks.length === 0 && METHODS.every((name) => typeof own[name] === 'function' && tx[name] === own[name]);`,
        (text) => text.replace('hooks.length === 0', 'hooks.length >= 0').replace('METHODS.every', 'METHODS.some'),
      ),
    ],
    tests: [
      test('an extension that runs raw queries outside of it is found out, and nothing is written'),
      test('refuses an extension that has a $queryRaw of its own, outside of it'),
    ],
  },
  {
    name: 'enqueue-open',
    says: 'what claims to be a transaction, and knows that none is open, enqueues nothing',
    edits: [
      cut(
        'packages/sql/src/clients/join-transaction.ts',
        "if (db.isTransaction === true && db.isOpen?.() === false) throw new DueworkError('not_in_transaction', NONE_IS_OPEN);",
        (text) => text.replace('throw', 'if (Number.isNaN(0)) throw'),
      ),
    ],
    tests: [proof('a client of pg that says it is in a transaction, and has none open, enqueues nothing')],
  },
  {
    name: 'enqueue-late',
    says: 'what is sent after its transaction has ended, as the first to write, does not commit on its own',
    edits: [
      {
        file: functions,
        find: 'IF NEW.created_at = statement_timestamp() THEN',
        replace: 'IF NEW.created_at < NEW.created_at THEN',
      },
    ],
    tests: [
      {
        file: 'packages/clients-test/src/ended-transactions.test.ts',
        title: 'is refused, %s',
        of: 'after a business write',
      },
    ],
  },
  {
    name: 'enqueue-at-once',
    says: 'an enqueue that nobody awaits is sent before the end of its transaction',
    edits: [
      cut(
        core('enqueue/write-runs.ts'),
        'const expectedId = expected instanceof Promise ? await expected : expected;',
        (text) => text.replace('expected instanceof Promise ? await expected : expected', 'await expected'),
      ),
    ],
    tests: [proof('an enqueue is sent before the caller can end its transaction')],
  },
  {
    name: 'enqueue-prisma-6',
    says: 'a transaction of Prisma 6 is known as one',
    edits: [
      cut(
        'packages/sql/src/clients/is-transaction.ts',
        "return !isClient(db) && ('$transaction' in db || isObject((db as { _originalClient?: unknown })._originalClient));",
        (text) => text.replace('isObject((', '!isObject(('),
      ),
    ],
    tests: [proof('Prisma 6.19, whose transactions lack $transaction')],
  },
  {
    name: 'enqueue-json-as-text',
    says: 'JSON is sent as text, so that no driver makes JSON of it once more',
    edits: [
      cut(core('sql/enqueue/enqueue-one.ts'), '${run.payloadJson}::text::jsonb,', (text) =>
        text.replace('::text::jsonb', ''),
      ),
    ],
    tests: [proof('a driver that makes JSON of what is sent as JSON stores the payload as it was')],
  },
  {
    name: 'transaction-needed',
    says: 'several statements that have to commit together are not sent without a transaction',
    edits: [
      cut(
        'packages/sql/src/clients/in-transaction.ts',
        `if (isClient(client) || (client.isTransaction === null && client.isOpen?.() === false))
          throw new DueworkError('transaction_needed', { client: isClient(client) ? 'this client' : 'this session' });`,
        (text) => text.replace('throw', 'if (Number.isNaN(0)) throw'),
      ),
    ],
    tests: [proof('a verb of several statements refuses a session without a transaction, and takes a pool')],
  },
  {
    name: 'call-bound',
    says: 'a process that enqueues has no more calls on their way than its bound',
    edits: [
      cut(
        core('enqueue/admit-calls.ts'),
        `if (this.#held < this.#maxWaiting) this.#held++;
        else if (this.#whenFull === 'wait') await this.#stand(signal);
        else throw this.#full();`,
        (text) => text.replace('this.#held < this.#maxWaiting', 'this.#held < Infinity * this.#maxWaiting'),
      ),
    ],
    tests: [
      {
        file: core('enqueue/group-by-key.test.ts'),
        title: 'a process that enqueues through openQueue has a bound: the call beyond it is refused with queue_full',
      },
    ],
  },
  {
    name: 'held-key-apart',
    says: 'who shared a statement that gave up at a held key is written apart',
    edits: [
      cut(
        core('enqueue/group-calls.ts'),
        'if (answers === null) sendEachApart();',
        "if (answers === null) for (const { reject } of group) reject(new Error('held'));",
      ),
    ],
    tests: [
      ofSharedKeys(
        'a shared statement that meets a key of an open transaction keeps nobody else waiting, and meets it once',
      ),
    ],
  },
  {
    name: 'held-key-once',
    says: 'a key that is being waited for comes into no shared statement',
    edits: [
      cut(core('enqueue/group-by-key.ts'), 'if (this.#byKey.has(name)) return this.#groupOf(name).call(run, signal);'),
    ],
    tests: [
      ofSharedKeys(
        'a shared statement that meets a key of an open transaction keeps nobody else waiting, and meets it once',
      ),
    ],
  },
  {
    name: 'notify-throttle',
    says: 'not every enqueue notifies',
    edits: [
      cut(
        waking,
        `if (bucket.wakeUps < 1 && bucket.last?.isVoid === false) {
        counted.set(queue, bucket.last);
        continue;
      }`,
        (text) => text.replace('< 1', '< -1'),
      ),
    ],
    tests: [ofWaking('never one notification per run, however fast they come')],
  },
  {
    name: 'notify-everybody',
    says: 'whoever looks once was told of all there is',
    edits: [
      cut(
        waking,
        'const isForAll = bucket.wakeUps < 1 || runs.length >= MANY || told >= MANY;',
        'const isForAll = runs.length >= MANY || told >= MANY;',
      ),
    ],
    tests: [ofWaking('many runs, and the last statement before some are left out, wake everybody')],
  },
  {
    name: 'notify-throttle-client',
    says: 'what was told in one database counts for no other',
    edits: [cut(waking, 'const client = clientOf(db);', 'const client = clientOf(db) === null ? null : turnsOf;')],
    tests: [ofWaking('a wake-up for one database never suppresses one for another')],
  },
  {
    name: 'notify-void',
    says: 'a run that counted on a notification which was not sent is notified itself',
    edits: [
      cut(
        waking,
        'return [...counted].filter(([, { isVoid }]) => isVoid).map(([queue]) => queue);',
        'return counted.size < 0 ? [...counted.keys()] : [];',
      ),
    ],
    tests: [ofWaking('is notified when it is answered last')],
  },
  {
    name: 'notify-withdrawn',
    says: 'who was counted on and notified nobody makes up for it',
    edits: [
      cut(
        waking,
        'return [...taken].filter(([, { isCountedOn }]) => isCountedOn).map(([queue]) => queue);',
        'return taken.size < 0 ? [...taken.keys()] : [];',
      ),
    ],
    tests: [ofWaking('is notified when the other is answered last')],
  },
  {
    name: 'definition-version',
    says: 'an older contract never overwrites a newer one',
    edits: [cut(core('sql/registry/register-definitions.ts'), 'WHERE excluded.version >= d.version')],
    tests: [operating('while old and new workers run side by side, the newer contract stays')],
  },
  {
    name: 'alert-once',
    says: 'an alert is told once, by one worker',
    edits: [cut(migration('20261120121400_alerts'), 'AND o.tell_at <= now()')],
    tests: [operating('more dead runs within an hour than allowed raise one alert, told by one worker, once an hour')],
  },
];

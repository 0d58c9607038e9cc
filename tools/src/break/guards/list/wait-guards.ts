import type { Guard, NamedTest } from '../guard.js';
import { core, cut, migration, operate, storeCase } from './places.js';

const steps = migration('20261120121100_steps');
const batches = migration('20261120121200_batches');
const retention = migration('20261120121300_retention');
const race = (title: string): NamedTest => ({ file: core('steps/wait-races.test.ts'), title });
const batch = (title: string): NamedTest => ({ file: core('batches/batches.test.ts'), title });
const kept = (title: string): NamedTest => ({ file: core('maintenance/kept-wholes.test.ts'), title });
const wait = (title: string): NamedTest => storeCase('wait-cases', title);
const counted = (title: string): NamedTest => storeCase('batch-cases', title);

/** What keeps steps, waits and batches when two things happen at once. */
export const waitGuards: readonly Guard[] = [
  {
    name: 'wake-locks-run',
    says: 'who ends a wait looks at its run under the lock of its row',
    edits: [cut(steps, 'WHERE j.id = wake_run.id ⟦FOR UPDATE⟧')],
    tests: [race('is made due by a signal that is sent while its wait is about to be settled')],
  },
  {
    name: 'wake-knows-end',
    says: 'a run that has ended receives no signal',
    edits: [cut(steps, 'IF NOT FOUND THEN RETURN false; END IF; IF was.locked_by', 'IF was.locked_by')],
    tests: [wait('a run that is over receives nothing: the signal is kept for another one')],
  },
  {
    name: 'settlement-sees-woken',
    says: 'a run whose wait has ended while it still ran does not go to wait',
    edits: [cut(core('sql/settle/snooze-runs.ts'), "WHEN j.terms -> 'woken' = to_jsonb(j.fence) THEN now()")],
    tests: [
      wait('one that comes while the run has not gone to wait yet makes it due as soon as it does'),
      race('is due at once where a signal that is about to be sent comes before its settlement'),
    ],
  },
  {
    name: 'wait-excludes-signal',
    says: 'nobody begins to wait for a signal that is about to be sent',
    edits: [
      cut(
        steps,
        "AND NOT pg_try_advisory_xact_lock(hashtextextended('duework.signal ' || w.awaited, 0)) THEN",
        'AND false THEN',
      ),
    ],
    tests: [race('does not begin to wait while the signal is about to be sent, and then finds it')],
  },
  {
    name: 'signal-excludes-wait',
    says: 'no signal is sent past a wait that is about to begin',
    edits: [cut(steps, "PERFORM pg_advisory_xact_lock_shared(hashtextextended('duework.signal ' || sent, 0));")],
    tests: [race('is found by a signal that comes while it begins to wait')],
  },
  {
    name: 'wait-marks-job',
    says: 'a job for which somebody waits knows that when it ends',
    edits: [cut(steps, " || jsonb_build_object('awaited', w.id::text)")],
    tests: [
      wait('a job that ends, however it ends, ends the waits for it'),
      race('is told of the end of a job that ends while it begins to wait for that'),
    ],
  },
  {
    name: 'wait-finds-end',
    says: 'who begins to wait for a job that has just ended finds its end',
    edits: [cut(steps, '⟦IF NOT FOUND⟧ THEN SELECT duework.ending_of(h) INTO given', 'IF false')],
    tests: [race('finds the end of a job that is about to end while it begins to wait for that')],
  },
  {
    name: 'wait-fenced',
    says: 'a claim that has lost its run begins no wait',
    edits: [cut(steps, 'WHERE j.id = w.id ⟦AND j.fence = w.fence AND j.locked_by IS NOT NULL⟧')],
    tests: [wait('a claim that has lost its run begins and ends no wait')],
  },
  {
    name: 'step-stays',
    says: 'of two claims that have done the same step the first one’s row stays',
    edits: [
      cut(
        core('sql/steps/write-steps.ts'),
        'ON CONFLICT (run_id, name) DO NOTHING',
        'ON CONFLICT (run_id, name) DO UPDATE SET result = excluded.result',
      ),
    ],
    tests: [storeCase('step-cases', 'the first row of a step stays, whoever writes another one')],
  },
  {
    name: 'step-in-fenced',
    says: 'a step in a transaction of a claim that has lost its run takes what it wrote along',
    edits: [cut(core('steps/attempt-steps.ts'), "⟦if (answer === 'lost') throw lost(name);⟧ if (answer === 'kept')")],
    tests: [
      {
        file: core('steps/steps.test.ts'),
        title: 'of a claim that has lost its run rolls back, and what it wrote is gone',
      },
    ],
  },
  {
    name: 'undo-told',
    says: 'a batch, and who waits, are told of what the undo of a retry makes dead again',
    edits: [
      cut(batches, "WHEN (NEW.terms ? 'batch'", "WHEN (NEW.terms ? 'batch' AND NEW.finished_at = now()"),
      cut(steps, "WHEN (NEW.terms ? 'awaited')", "WHEN (NEW.terms ? 'awaited' AND NEW.finished_at = now())"),
    ],
    tests: [
      {
        file: operate('bulk/bulk-actions.test.ts'),
        title: 'of a retry is told to the batch of the jobs, and to who has begun to wait for one meanwhile',
      },
    ],
  },
  {
    name: 'batch-comes-again',
    says: 'who has ended a job of a batch at which another one is comes again',
    edits: [cut(batches, 'RETURN NEXT one;', 'NULL;')],
    tests: [
      batch('is told to come again who has ended a job while another one adds up and does not see that'),
      batch('waits for jobs that an open transaction is about to add'),
    ],
  },
  {
    name: 'batch-waits-for-more',
    says: 'a batch to which somebody is about to add jobs does not settle',
    edits: [cut(batches, 'WHERE b.id = of_id ⟦FOR KEY SHARE⟧')],
    tests: [batch('waits for jobs that an open transaction is about to add')],
  },
  {
    name: 'batch-tells-once',
    says: 'what a batch enqueues is enqueued once',
    edits: [cut(batches, 'OR b.enqueued ? due')],
    tests: [
      counted('once all have succeeded, what is to be enqueued then is, and only once'),
      counted('a dead job that is retried and succeeds lets the batch succeed; nothing else is told again'),
    ],
  },
  {
    name: 'batch-takes-back',
    says: 'a dead job that is retried is open again for its batch',
    edits: [cut(batches, "-(OLD.status = 'dead')::integer", '0')],
    tests: [counted('a dead job that is retried and succeeds lets the batch succeed; nothing else is told again')],
  },
  {
    name: 'batch-knows-death',
    says: 'a job that died and is retried before anybody has added up has died',
    edits: [cut(batches, 'bool_or(g.dead > 0)', 'sum(g.dead) > 0')],
    tests: [counted('a job that is dead and retried before anybody has added up has died all the same')],
  },
  {
    name: 'whole-leaves-days',
    says: 'what belongs to others leaves its day before that is dropped',
    edits: [cut(retention, 'IF members IS NULL THEN RETURN NULL; END IF;', 'RETURN NULL;')],
    tests: [
      kept(
        'while a workflow sleeps for longer than finished jobs are kept, its children stay, and theirs, with their attempts, keys and effects',
      ),
      kept('the jobs of a batch stay while it is open, and go with it, and its counts stay exact'),
    ],
  },
  {
    name: 'whole-keeps-rows',
    says: 'retention passes over rows that stay because of others',
    edits: [
      cut(retention, 'SELECT ctid FROM looked WHERE NOT duework.is_kept_by_others(id)', 'SELECT ctid FROM looked'),
    ],
    tests: [
      wait('children are kept as long as their parent, and one that is older than its parent is not'),
      counted(
        'its jobs stay while it is open, and go with it: when finished jobs do, or where one is dead, when dead ones do',
      ),
    ],
  },
  {
    name: 'whole-keeps-keys',
    says: 'a job that stays because of others keeps its key',
    edits: [cut(retention, 'CASE WHEN duework.is_kept_by_others(l.run_id) THEN $1 END', 'NULL')],
    tests: [
      kept(
        'while a workflow sleeps for longer than finished jobs are kept, its children stay, and theirs, with their attempts, keys and effects',
      ),
    ],
  },
  {
    name: 'move-is-no-end',
    says: 'a job of a batch that leaves its day has not ended again',
    edits: [
      cut(
        batches,
        "AND NOT (NEW.is_late AND NEW.finished_at < (duework.day_of_id(NEW.id) + 2)::timestamp AT TIME ZONE 'UTC')",
      ),
    ],
    tests: [kept('the jobs of a batch stay while it is open, and go with it, and its counts stay exact')],
  },
  {
    name: 'sql-batch-rights',
    says: 'nobody may begin a batch in SQL who was not given the right',
    edits: [
      cut(
        batches,
        'REVOKE ALL ON FUNCTION duework.begin_batch, duework.make_batch_run',
        'REVOKE ALL ON FUNCTION duework.make_batch_run',
      ),
    ],
    tests: [
      {
        file: core('sql/enqueue/enqueue-in-sql.test.ts'),
        title: 'cannot do what it was not given: %s',
        of: `SELECT duework.begin_batch('[]')`,
      },
    ],
  },
];

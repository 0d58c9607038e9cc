import type { Guard, NamedTest } from '../guard.js';
import { core, cut, migration, operate, returnedUnfenced } from './places.js';

const audit = migration('20261120120600_operating');
const lost = migration('20261120120500_workers');
const lostTest: NamedTest = {
  file: operate('workers/read-workers.test.ts'),
  title: 'a worker whose session has ended is lost at once, and what it alone could run is unserved',
};
const audited = (title: string): NamedTest => ({ file: core('queue/audit.test.ts'), title });
const bulk = (title: string): NamedTest => ({ file: operate('bulk/bulk-actions.test.ts'), title });
const sensitive = (title: string): NamedTest => ({ file: operate('bulk/sensitive-edits.test.ts'), title });
const noTable =
  'of a sensitive field decrypts the payload, checks it and encrypts it again: no table ever has the value';
const history = operate('bulk/sql/act-on-history.ts');
const undo = operate('bulk/sql/undo-picked.ts');

/** What operators did stays written, and what they do to many jobs at once is done once. */
export const operateGuards: readonly Guard[] = [
  {
    name: 'audit-append-only',
    says: 'an entry of the audit is never changed',
    edits: [
      cut(
        audit,
        `IF TG_OP = 'DELETE' AND coalesce(current_setting('duework.prunes_audit', true), '') = 'on' THEN
          IF TG_LEVEL = 'STATEMENT' THEN RETURN NULL; END IF;
          IF OLD.at < now() - interval '30 days' THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION 'The audit is only ever added to: % of % is refused.', TG_OP, TG_TABLE_NAME
          USING ERRCODE = '0A000', HINT = 'duework.prune_audit removes what is old enough.';`,
        "IF TG_LEVEL = 'ROW' THEN RETURN OLD; END IF;\n  RETURN NULL;",
      ),
    ],
    tests: [{ file: core('queue/audit.test.ts'), title: '%s is refused', of: 'UPDATE duework.audit_entries' }],
  },
  {
    name: 'audit-young',
    says: 'nobody deletes an entry of the last 30 days',
    edits: [cut(audit, `IF OLD.at < now() - interval '30 days' THEN RETURN OLD; END IF;`, 'RETURN OLD;')],
    tests: [audited('and what is younger than 30 days stays, even for retention and for who sets its setting by hand')],
  },
  {
    name: 'unserved-of-lost',
    says: 'what only a lost worker could run is unserved at once',
    edits: [cut(lost, 'AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))')],
    tests: [lostTest],
  },
  {
    name: 'lost-worker-able',
    says: 'a lost worker is no reason to wait',
    edits: [
      cut(
        operate('explain/sql/find-readers.ts'),
        'AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))',
      ),
    ],
    tests: [lostTest],
  },
  {
    name: 'bulk-step-once',
    says: 'a step of a bulk action is taken once',
    edits: [
      cut(
        operate('bulk/sql/step-frame.ts'),
        'AND stage = ${action.stage}::text AND after_id = ${action.afterId}::bigint',
      ),
    ],
    tests: [bulk('a step that another process has taken meanwhile changes nothing')],
  },
  {
    name: 'fence-bulk-retry',
    says: 'a bulk retry lowers no fence',
    edits: [returnedUnfenced],
    tests: [bulk('brings the dead jobs back that fit, with all their attempts, and is told by the audit once')],
  },
  {
    name: 'bulk-retry-spread',
    says: 'what is retried does not become due all at once',
    edits: [
      cut(
        history,
        "SELECT r.*, coalesce(${priority}::smallint, r.priority) AS new_priority, now() + (row_number() OVER (ORDER BY r.id) - 1) * interval '1 second' / ${perSecond}::integer AS due_at",
        "SELECT r.*, r.priority AS new_priority, now() + 0 * ${perSecond}::integer * interval '1 s' AS due_at",
      ),
    ],
    tests: [bulk('makes jobs due one after the other, so that others are run between them')],
  },
  {
    name: 'search-stopped',
    says: 'a page that one source cut short leaves out no job of it',
    edits: [
      cut(
        core('sql/search/search-jobs.ts'),
        'AND NOT EXISTS (SELECT FROM stopped AS s WHERE ${isUp ? sql`u.id > s.id` : sql`u.id < s.id`})',
      ),
    ],
    tests: [
      {
        file: operate('search/search-jobs.test.ts'),
        title: 'pages lead to every job of %j and back',
        of: 'type:rare',
      },
    ],
  },
  {
    name: 'bulk-undo-as-left',
    says: 'an undo leaves what somebody has changed since',
    edits: [
      cut(
        undo,
        "${changeQueue(sql`(u.was->>'queue')`)} FROM locked AS u ⟦WHERE j.id = u.id AND ${isAsLeft}⟧",
        'WHERE j.id = u.id',
      ),
    ],
    tests: [bulk('leaves waiting jobs that somebody has changed since')],
  },
  {
    name: 'bulk-undo-unclaimed',
    says: 'an undo leaves what somebody has claimed since',
    edits: [cut(undo, 'USING locked AS u ⟦WHERE j.id = u.id AND ${isAsLeft}⟧', 'WHERE j.id = u.id')],
    tests: [
      bulk('makes retried jobs dead again as they were, but for those that somebody has claimed or changed since'),
    ],
  },
  {
    name: 'bulk-edit-unchanged',
    says: 'an edit overwrites no payload that was changed since it was read',
    edits: [cut(operate('bulk/sql/edit-picked.ts'), 'AND md5(j.payload::text) = e.md5')],
    tests: [bulk('leaves a payload that somebody has changed since it was read')],
  },
  {
    name: 'bulk-edit-sealed',
    says: 'an edited payload is encrypted again',
    edits: [
      cut(
        operate('bulk/edit-stored.ts'),
        'if (contract.sensitiveEver.length > 0) return { whole: { payload: seal(made), was: seal(old) }, flow };',
        'void seal;',
      ),
    ],
    tests: [sensitive(noTable)],
  },
  {
    name: 'bulk-value-sealed',
    says: 'the value of an edit is encrypted while it waits',
    edits: [
      cut(
        operate('bulk/edited-value.ts'),
        `const sealed = ring.seal(JSON.stringify(value), sealedPlace(type, NO_VERSION, toPointer(path)));
        return { ...needed, sensitiveValue: { $sealed: sealed } };`,
        'void [sealedPlace, toPointer]; return { sensitiveValue: value };',
      ),
    ],
    tests: [sensitive(noTable)],
  },
  {
    name: 'bulk-value-hidden',
    says: 'and is shown to nobody',
    edits: [
      cut(
        operate('bulk/edited-value.ts'),
        'return sensitiveValue === undefined ? shown : { ...shown, value: SENSITIVE };',
        'void [SENSITIVE, shown, sensitiveValue]; return options;',
      ),
    ],
    tests: [sensitive('without a key ring a sensitive value is stored as it is, and is still shown to nobody')],
  },
  {
    name: 'bulk-filter-plain',
    says: 'no filter that is kept has a sensitive value',
    edits: [
      cut(
        operate('bulk/check-change.ts'),
        `if (isSensitive)
        throw new DueworkError('bulk_action_refused', {
          reason: 'its filter would be kept, and asks for a sensitive value; list the jobs, and name them by id: instead',
        });`,
        'void isSensitive;',
      ),
    ],
    tests: [sensitive('no bulk action asks for a sensitive value, because its filter is kept')],
  },
];

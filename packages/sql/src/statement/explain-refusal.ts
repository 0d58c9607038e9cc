import { isTransaction } from '../clients/is-transaction.js';
import { NONE_IS_OPEN } from '../clients/join-transaction.js';
import { DueworkError } from '../errors/errors.js';
import { readReason, readSqlstate } from '../errors/read-sqlstate.js';
import type { RawClient, Statement } from './queryable.js';

/** `no_active_sql_transaction`, by which duework.refuse_alone and duework.require_transaction refuse. */
const LEFT = '25P01';

/** What an application calls, without a right on any table. */
const APPLICATION = /\bduework\.(enqueue\w*|open_batch|join_batch|begin_batch|signal|take_answer|keep_answer)\(/;
const WRITES =
  /\b(INSERT INTO|UPDATE|DELETE FROM) (ONLY )?duework\.|\bduework\.(prune\w*|ensure_partitions|add_up_batches)\(/i;
/** What a reader does not see. */
const HIDDEN =
  /\b(payload|result|meta|secret_hash|filter|options|callbacks|logs|find_job|last_runs?|api_keys|bulk_undos)\b/;

/**
 * What PostgreSQL has refused, as a coded error: `not_migrated` where a function, a table or the schema that the statement
 * names is not there, `not_in_transaction` where it ran outside of its caller's transaction, `permission_denied` where the role
 * may not send it; any other error as it is.
 */
export async function explainRefusal(db: RawClient, { text }: Statement, error: unknown): Promise<unknown> {
  const state = readSqlstate(error);
  if (state === LEFT) return new DueworkError('not_in_transaction', NONE_IS_OPEN, { cause: error });
  // the server says the rest in its own language
  const missing = /\b(duework\.\w+)/.exec(String((error as { message?: unknown }).message))?.[1];
  if (state === '3F000' || ((state === '42883' || state === '42P01') && missing !== undefined))
    return new DueworkError('not_migrated', { missing: missing ?? 'the schema duework' }, { cause: error });
  if (state !== '42501') return error;
  const facts = { ...(await readRole(db)), needs: rolesFor(text), reason: readReason(error) };
  return new DueworkError('permission_denied', facts, { cause: error });
}

/** The roles of `duework roles` that may send such a statement, the one with the fewest rights first. */
function rolesFor(text: string): readonly string[] {
  if (APPLICATION.test(text)) return ['duework_app'];
  return WRITES.test(text) || HIDDEN.test(text)
    ? ['duework_operator', 'duework_worker']
    : ['duework_reader', 'duework_operator', 'duework_worker'];
}

const ROLE = `SELECT current_user::text AS role, array_to_string(ARRAY(
  SELECT rolname FROM pg_roles WHERE rolname ~ '^duework_' AND pg_has_role(oid, 'USAGE')), ' ') AS has`;

/** The same error, with the role where only the client of a transaction, which has ended, can say it. */
export async function nameRole(client: RawClient, error: unknown): Promise<unknown> {
  if (!DueworkError.is(error, 'permission_denied') || error.facts.role !== null) return error;
  const { cause, facts } = error;
  return new DueworkError('permission_denied', { ...facts, ...(await readRole(client)) }, { cause });
}

/** Who asks, and which of the roles it has. A transaction answers no more once a statement of it was refused. */
async function readRole(db: RawClient): Promise<{ role: string | null; has: readonly string[] }> {
  if (isTransaction(db)) return { role: null, has: [] };
  const statement: Statement = { strings: [ROLE], values: [], text: ROLE, sql: ROLE, statement: ROLE };
  try {
    const [row] = await db.$queryRaw<{ role: string; has: string }[]>(statement);
    return { role: row!.role, has: row!.has.split(' ').filter(Boolean) };
  } catch {
    return { role: null, has: [] };
  }
}

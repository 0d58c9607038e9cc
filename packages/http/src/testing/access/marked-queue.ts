import {
  defineCatalog,
  defineEvent,
  defineJob,
  defineSignal,
  defineSubscriber,
  type JobContract,
} from '@duework/contracts';
import { createKey, startBulkAction, stepBulkActions } from '@duework/operate';
import {
  cancelJob,
  createPostgresStore,
  enqueue,
  enqueueBatch,
  jobRequest,
  registerDefinitions,
  type Transactable,
} from '@duework/queue-core';
import { saveSchedule } from '@duework/schedules';
import { queryRows, sql } from '@duework/sql';
import { z } from 'zod';

/** Stands in payloads, in keys that are made of them, and in the texts of errors; `SENSITIVE_MARK` in a field that its contract calls sensitive. */
export const MARK = 'Acme-773190';
export const SENSITIVE_MARK = 'DE89370400440532013000';

const shape = z.object({ account: z.string(), iban: z.string() });
const pay = defineJob({
  type: 'pay',
  payload: shape,
  sensitive: ['/iban'],
  result: shape,
  durable: true,
  tenant: 'account',
  limits: [{ by: 'account', max: 5 }],
});
const mail = defineJob({
  type: 'mail',
  payload: z.object({ account: z.string() }),
  limits: [{ name: 'smtp', max: 5 }],
});
const told = defineEvent({ name: 'told', payload: z.object({ n: z.int() }), keep: '1d' });
const listener = defineSubscriber({ type: 'listener', on: told });
export const markedCatalog = defineCatalog([pay, mail, listener]);
/** Types whose contract is gone, which may be unsubscribed. */
const ENDED = defineSubscriber({ type: 'ended', on: told });
export const paid = defineSignal({ name: 'paid', by: ['account'], payload: z.object({ account: z.string() }) });

export type MarkedType = 'pay' | 'mail';

/** Begins the text of every error, in which a value of the payload is quoted. */
export const ERROR_TEXT = 'There is no account';
const ERROR = {
  code: 'no_account',
  type: 'Error',
  message: `${ERROR_TEXT} ${MARK}\n    at ${MARK} (charge.ts:1:1)`,
  stack: `Error: ${ERROR_TEXT} ${MARK}\n    at ${MARK} (charge.ts:1:1)\n    at charge (charge.ts:7:3)`,
};

let last = 0;
/** A name that nothing else has. */
export const newName = (kind: string): string => `${kind}-${++last}`;

/** Makes what requests are about, each time anew, because many a verb ends it. */
export class MarkedQueue {
  constructor(private readonly db: Transactable) {}

  /** The event to which a type subscribes that anybody may end. */
  async event(): Promise<string> {
    await registerDefinitions(this.db, [ENDED]);
    return told.name;
  }

  async prepare(): Promise<void> {
    await registerDefinitions(this.db, [...markedCatalog, ENDED]);
    const holder = await this.job('pay');
    // as whoever lets it in writes them: what is answered of these keys tells them from those that nobody holds
    await queryRows(
      this.db,
      sql`WITH let_in AS (UPDATE duework.job_runs SET held_by = NULL WHERE id = ${holder}::text::bigint RETURNING id)
        INSERT INTO duework.flow_keys (key, rule, holders, units)
        SELECT rule || '/' || ${MARK}::text, rule, ARRAY[l.id], ARRAY[1]
        FROM let_in AS l, unnest(ARRAY['limit/pay.account', 'tenant/default']) AS r (rule) RETURNING 1 AS one`,
    );
  }

  /** A job that waits, with its payload, progress, a step that has got a signal, and one that waits for a job of the other type. */
  async job(type: MarkedType, end?: 'dead' | 'cancelled'): Promise<string> {
    const { id } =
      type === 'pay'
        ? await enqueue(this.db, pay, payloadOf(), { delay: '1h', idempotencyKey: newName('key') })
        : await enqueue(this.db, mail, { account: MARK }, { delay: '1h', idempotencyKey: newName('key') });
    const awaited = `paid ${JSON.stringify(MARK)}`;
    const got = JSON.stringify({ account: MARK });
    await queryRows(
      this.db,
      sql`INSERT INTO duework.job_steps (run_id, name, asked_seq, done_seq, fence, awaits, awaited, result)
        VALUES (${id}::text::bigint, 'paid', 1, 1, 1, 'signal', ${awaited}::text, ${got}::text::jsonb) RETURNING 1 AS one`,
    );
    await this.#fail(id);
    await this.#letWait(id);
    if (end === 'cancelled') await cancelJob(this.db, id);
    if (end === 'dead') await this.#bury(id);
    return id;
  }

  /** It has failed, and so has one of its steps: errors name what was in the payload. */
  async #fail(id: string): Promise<void> {
    const failed = JSON.stringify(ERROR);
    await queryRows(
      this.db,
      sql`WITH attempt AS (
          INSERT INTO duework.job_attempts (is_late, run_id, fence, attempt, job_type, outcome, worker, claimed_at, finished_at, error_code, error_type, error_message, error_stack)
          SELECT true, id, fence, 1, job_type, 'failed', 'w', now(), now(), ${ERROR.code}, ${ERROR.type}, ${ERROR.message}, ${ERROR.stack}
          FROM duework.job_runs WHERE id = ${id}::text::bigint
        ), step AS (
          INSERT INTO duework.job_steps (run_id, name, status, asked_seq, done_seq, fence, error)
          VALUES (${id}::text::bigint, 'charge', 'failed', 1, 1, 1, ${failed}::text::jsonb)
        )
        UPDATE duework.job_runs SET status = 'failed', attempts = 1, failed_at = now(),
          error_code = ${ERROR.code}, error_type = ${ERROR.type}, last_error = ${ERROR.message}
        WHERE id = ${id}::text::bigint RETURNING 1 AS one`,
    );
  }

  /** For a decision, and for a time. */
  async #letWait(id: string): Promise<void> {
    const question = JSON.stringify({ title: 'Pay?', details: {}, choices: ['approve', 'reject'], by: null });
    await queryRows(
      this.db,
      sql`INSERT INTO duework.job_steps (run_id, name, status, asked_seq, done_seq, fence, awaits, awaited, wakes_at, result)
        VALUES (${id}::text::bigint, 'ok: question', 'done', 2, 2, 1, NULL, NULL, NULL, ${question}::text::jsonb),
          (${id}::text::bigint, 'ok', 'waiting', 3, NULL, 1, 'signal', 'duework.approval ["1","ok"]', NULL, NULL),
          (${id}::text::bigint, 'wait', 'waiting', 4, NULL, 1, NULL, NULL, '2099-01-01Z', NULL) RETURNING 1 AS one`,
    );
  }

  async #bury(id: string): Promise<void> {
    const rows = await queryRows<{ fence: number }>(
      this.db,
      sql`UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = fence + 1, locked_by = 'w', claimed_at = now(), held_by = NULL,
        locked_until = now() + interval '1 hour' WHERE id = ${id}::text::bigint RETURNING fence::float8 AS fence`,
    );
    await createPostgresStore({ db: this.db }).settle([
      { id, fence: rows[0]!.fence, kind: 'bury', error: ERROR, abort: null },
    ]);
  }

  batch = async (type: MarkedType): Promise<string> =>
    (await enqueueBatch(this.db, { jobs: [jobRequest(contractOf(type), payloadOf() as never, { delay: '1h' })] })).id;

  async schedule(): Promise<string> {
    const key = newName('schedule');
    await saveSchedule(this.db, pay, { key, every: '1h', payload: payloadOf() });
    return key;
  }

  /** One that has ended, so that it can be undone. `path`: it has edited payloads. */
  async bulkAction(path?: readonly string[]): Promise<string> {
    await this.job('pay');
    const request =
      path === undefined
        ? { verb: 'cancel' as const }
        : { verb: 'edit_payload' as const, path: [...path], value: MARK };
    const { id } = await startBulkAction(this.db, markedCatalog, {
      ...request,
      filter: 'type:pay status:queued,failed',
    });
    await stepBulkActions(this.db, markedCatalog, new AbortController().signal);
    return id;
  }

  async key(): Promise<string> {
    const name = newName('key');
    await createKey(this.db, { name, scopes: ['admin'] });
    return name;
  }
}

export const payloadOf = () => ({ account: MARK, iban: SENSITIVE_MARK });
const contractOf = (type: MarkedType): JobContract => markedCatalog.find((one) => one.type === type)!;

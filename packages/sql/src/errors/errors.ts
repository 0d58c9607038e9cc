import { brand, hasBrand } from './has-brand.js';
import { adapterOf, type GivenClient } from '../clients/name-client.js';
import { showValue, toStorableText } from './storable-text.js';

/** What the roles of `duework roles` are for. */
const FOR: Readonly<Record<string, string>> = {
  duework_app: 'to enqueue',
  duework_reader: 'to look, and see no payload',
  duework_operator: 'to look and to act',
  duework_worker: 'to run jobs',
};

/**
 * Every code with which this package refuses, and its message. The table is the documentation: a code is stable, its
 * HTTP status lives in the API.
 */
const MESSAGES = {
  unknown_job_type: (f: { type: string; knownTypes: readonly string[] }) =>
    `There is no job type ${JSON.stringify(showValue(f.type))}. Known: ${f.knownTypes.join(', ')}. Correct it, or add its contract to the catalog.`,
  unknown_job_version: (f: { type: string; version: number; oldestVersion: number; newestVersion: number }) =>
    `The payload was saved for version ${f.version} of ${f.type}; this program reads ${f.oldestVersion} to ${f.newestVersion}. Deploy it with the contract that has version ${f.version}.`,
  invalid_payload: (f: { type: string; issues: readonly PayloadIssue[] }) =>
    `The payload of ${f.type} is not valid: ${f.issues.map((i) => `${i.pointer || '/'} ${i.message}`).join('; ')}.`,
  payload_too_large: (f: { type: string; bytes: number; limitBytes: number }) =>
    `The payload of ${f.type} is ${f.bytes} bytes; the limit is ${f.limitBytes}. Store the content elsewhere and enqueue a reference.`,
  offload_missing: (_: object) =>
    'This needs the store of large payloads, which this process does not have: call setOffload({ store }), or give it to runWorker as offload.',
  object_missing: (f: { key: string }) =>
    `The store has no object ${showValue(f.key)}: it was deleted there, or this process has another store. Restore it, then retry the job; or enqueue it again.`,
  object_altered: (f: { key: string }) =>
    `The object ${showValue(f.key)} is not what was put: its length or its SHA-256 differs. Restore it, then retry the job; or enqueue it again.`,
  object_not_kept: (f: { type: string; what: string }) =>
    `${f.what} (${f.type}) cannot name objects, because they are kept for the payload and the result of a job alone. Enqueue a job with it instead.`,
  store_unavailable: (f: { verb: string; problem: string }) =>
    `The store of large payloads does not answer (${f.verb}): ${showValue(f.problem)}`,
  store_shared: (f: { databases: readonly string[] }) =>
    `Nothing is removed, because other databases keep objects in the same place (${f.databases.join(', ')}): give each database a folder, a prefix or a bucket of its own, and delete databases/<name> of one that is gone.`,
  payload_not_storable: (f: { type: string; reason: string }) =>
    `The payload of ${f.type} cannot be stored: ${f.reason}.`,
  text_not_storable: (f: { reason: string }) =>
    `PostgreSQL cannot store or find this text: it ${f.reason}. Remove that, or encode it.`,
  invalid_key_ring: (f: { reason: string }) => `The encryption keys are not valid: ${f.reason}.`,
  key_ring_missing: (f: { type: string }) =>
    `${f.type} requires encryption, and this process has no key ring: call setKeyRing(createKeyRing({ current, keys })) when it starts.`,
  key_missing: (f: { type: string; keyId: string }) =>
    `A payload of ${f.type} is encrypted with the key ${JSON.stringify(showValue(f.keyId))}, which this process does not have. Add it to its key ring.`,
  payload_not_readable: (f: { type: string; pointer: string; keyId: string }) =>
    `The payload of ${f.type} cannot be decrypted at ${f.pointer || '/'}: it was changed or moved, or the key ${JSON.stringify(showValue(f.keyId))} has other bytes here.`,
  queue_not_allowed: (f: { type: string; queue: string; queues: readonly string[] }) =>
    `A ${f.type} cannot be enqueued into ${JSON.stringify(showValue(f.queue))}: its contract allows ${f.queues.join(', ')}.`,
  invalid_idempotency_key: (f: { type: string; reason: string }) =>
    `The idempotency key of a ${f.type} is not valid: ${f.reason}.`,
  invalid_flow_value: (f: { type: string; rule: string; reason: string }) =>
    `Cannot apply ${f.rule} to this ${f.type} payload: ${f.reason}.`,
  event_not_found: (f: { event: string; events: readonly string[] }) =>
    `There is no event ${JSON.stringify(showValue(f.event))}, or a worker that subscribes to it has yet to start. Known: ${f.events.join(', ') || 'none'}.`,
  not_subscribed: (f: { type: string; event: string | null }) =>
    `${showValue(f.type)} does not subscribe to ${f.event === null ? 'any event' : f.event}. List who does: npx duework events`,
  still_subscribed: (f: { type: string; event: string; workers: readonly string[] }) =>
    `${f.workers.join(', ')} still run ${f.type} with code that subscribes to ${f.event}, and would subscribe again. Deploy it with subscribed: false, or stop them first.`,
  batch_not_found: (f: { id: string }) =>
    `There is no batch ${JSON.stringify(showValue(f.id))}. List them: npx duework batches`,
  batch_settled: (f: { id: string }) =>
    `All jobs of batch ${f.id} have ended, so nothing can be added to it. Start another batch.`,
  alert_not_found: (f: { key: string }) =>
    `No alert ${JSON.stringify(showValue(f.key))} is on, or silent. List them: npx duework alerts`,
  flow_rule_not_found: (f: { rule: string }) =>
    `There is no flow rule ${JSON.stringify(showValue(f.rule))}. List them: npx duework flow`,
  invalid_option: (f: { option: string; expected: string; value: unknown }) =>
    `${f.option} must be ${f.expected}, not ${showValue(f.value)}.`,
  not_in_transaction: (f: { expected: string; actual: string }) =>
    `The statement left the caller's transaction (${f.expected}) and would have committed on its own (${f.actual}). ` +
    'Either it was sent after the transaction had ended (await it; Prisma ends one at its timeout), or an extension of a ' +
    'Prisma client runs raw queries elsewhere (pass the transaction of the unextended client).',
  unknown_client: (f: { given: GivenClient }) =>
    adapterOf(f.given) === null
      ? 'Duework cannot use this as a client or transaction. Pass a client or transaction of Prisma, or a client or pool of ' +
        'pg, as it is; wrap one of Drizzle, Kysely, Knex, postgres.js or TypeORM with its function of duework/adapters.'
      : `This is ${f.given}: pass ${adapterOf(f.given)}, from duework/adapters.`,
  transaction_needed: (f: { client: string }) =>
    `This sends several statements that must commit together, but ${f.client} has no open transaction. ` +
    'Begin one on it first, or pass the pool.',
  isolation_too_high: (f: { isolation: string }) =>
    `A signal must be sent at READ COMMITTED: at ${f.isolation.toUpperCase()} it would miss jobs that have just begun to wait. ` +
    'Send it in a separate transaction, or begin this one at READ COMMITTED.',
  not_migrated: (f: { missing: string }) =>
    `The database lacks ${f.missing}, which this program needs. Apply the migrations first: npx duework migrate`,
  permission_denied: (f: { role: string | null; has: readonly string[]; needs: readonly string[]; reason: string }) => {
    const lacks = f.needs.filter((role) => !f.has.includes(role));
    const has = f.has.length === 0 ? 'It' : `It has ${f.has.join(', ')}, and`;
    return (
      `${f.role === null ? 'The role of this connection (current_user)' : JSON.stringify(f.role)} may not do this: ${f.reason}. ` +
      (lacks.length === 0
        ? `It has ${f.has.join(', ')}, but that role's rights are incomplete here: as the owner of the schema run npx duework roles --apply`
        : `${has} needs ${lacks.map((role) => `${role} (${FOR[role] ?? ''})`).join(' or ')}: as an administrator run npx duework roles --grant ${lacks[0]} --to ${f.role ?? '<role>'}`)
    );
  },
  invalid_job_id: (f: { id: string }) =>
    `${JSON.stringify(showValue(f.id))} is not a job id. Use the id as an enqueue or a list returned it.`,
  invalid_cursor: (f: { cursor: string }) =>
    `${JSON.stringify(showValue(f.cursor))} is not a cursor of this list. Use nextCursor of its last page unchanged, or leave it out to start at the first page.`,
  cursor_ahead: (f: { cursor: string }) =>
    `${JSON.stringify(showValue(f.cursor))} is ahead of this database: it is of another one, or this one was restored and has lost what it was read from. Begin with after: 'now', or leave it out to begin with the oldest.`,
  invalid_filter: (f: { filter: string; errors: readonly FilterIssue[] }) =>
    `The filter is not valid: ${f.errors.map((e) => e.message + (e.hint === null ? '' : ` (${e.hint})`)).join(' ')}`,
  filter_too_broad: (f: { filter: string; hint: string }) =>
    `Counting what matches ${JSON.stringify(showValue(f.filter))} would read too many jobs. ${f.hint}`,
  span_too_wide: (f: { type: string; what: 'effects' | 'attempts'; most: number; until: string }) =>
    `${f.type} has over ${f.most} ${f.what} in this time. Check parts, the first until ${f.until}.`,
  not_supported: (f: { asked: AskedFor; capability: keyof typeof LACKS }) =>
    `This queue (Redis or memory) does not support ${f.asked}: ${LACKS[f.capability]}. Use a queue in PostgreSQL for this.`,
  job_not_found: (f: { id: string }) => `There is no job ${f.id}: it never existed, or its history was pruned.`,
  step_not_found: (f: { id: string; step: string }) =>
    `Job ${f.id} has no recorded step ${JSON.stringify(showValue(f.step))}. Leave fromStep out to go on after the last recorded step; npx duework show ${f.id} lists them.`,
  wrong_job_type: (f: { id: string; type: string; expected: string }) =>
    `Job ${f.id} is of type ${f.type}, but the contract that was passed is ${f.expected}. Pass the contract of ${f.type}.`,
  job_exists: (f: { id: string; type: string; status: string }) =>
    `There is already a ${f.type} with this key: job ${f.id}, which is ${f.status}.`,
  job_is_running: (f: { id: string }) =>
    `Job ${f.id} is running; only a job that waits can be changed. Wait for its retry, or cancel it and enqueue another.`,
  job_is_over: (f: { id: string; status: string }) =>
    `Job ${f.id} ${be(f.status)}; only a job that waits can be changed. Enqueue another one instead.`,
  job_not_finished: (f: { id: string; status: string }) =>
    `Job ${f.id} is ${f.status}, so it has no result yet. Ask again once it has succeeded.`,
  job_failed: (f: { id: string; status: string; reason: string | null }) =>
    `Job ${f.id} is ${f.status}, so it has no result${f.reason === null ? '' : ` (${f.reason})`}.`,
  invalid_result: (f: { id: string; type: string; issues: readonly PayloadIssue[] }) =>
    `The result of job ${f.id} does not match this program's contract ${f.type}: ${f.issues.map((i) => `${i.pointer || '/'} ${i.message}`).join('; ')}.`,
  invalid_rule: (f: { part: string; expected: string; value: string }) =>
    `The schedule's rule is not valid: ${f.part} must be ${f.expected}, not ${f.value}.`,
  invalid_cron: (f: { cron: string; reason: string }) =>
    `${JSON.stringify(showValue(f.cron))} is not a cron rule: ${f.reason}.`,
  unknown_time_zone: (f: { zone: string }) =>
    `There is no time zone ${JSON.stringify(showValue(f.zone))}. Give an IANA name such as "Europe/Berlin" or "UTC".`,
  rule_never_fires: (f: { reason: string }) => `The rule would never fire: ${f.reason}.`,
  invalid_schedule_key: (f: { key: string }) =>
    `${JSON.stringify(showValue(f.key))} is not a valid schedule key. Use 1 to 200 letters, digits and ":", "_", "-", ".", "@".`,
  invalid_template: (f: { type: string; pointer: string; reason: string }) =>
    `The template in the payload of ${f.type} at ${f.pointer || '/'} cannot be filled in: ${f.reason}.`,
  bulk_action_not_found: (f: { id: string }) =>
    `There is no bulk action ${JSON.stringify(showValue(f.id))}. List them: npx duework bulk list`,
  bulk_action_refused: (f: { reason: string }) => `This bulk action was refused: ${f.reason}.`,
  bulk_action_over: (f: { id: string; status: string }) =>
    `Bulk action ${f.id} is already ${f.status}, so it cannot be aborted.`,
  undo_not_possible: (f: { id: string; reason: string }) => `Bulk action ${f.id} cannot be undone: ${f.reason}.`,
  schedule_not_found: (f: { key: string }) =>
    `There is no schedule ${JSON.stringify(showValue(f.key))}. List them: npx duework schedules list`,
  schedule_key_taken: (f: { key: string }) =>
    `There is already a schedule ${JSON.stringify(showValue(f.key))}. Edit it, or choose another key.`,
  schedule_of_another_program: (f: { key: string; program: string; owner: string }) =>
    `The programs ${JSON.stringify(f.owner)} and ${JSON.stringify(f.program)} both declare the schedule ` +
    `${JSON.stringify(showValue(f.key))}. Give it another key in one of them. If you renamed the program, delete the ` +
    'schedule and start again, or set PROGRAM_NAME to the old name.',
  api_key_name_taken: (f: { name: string }) =>
    `There is already an API key ${JSON.stringify(showValue(f.name))} in use. Choose another name, or revoke that key first.`,
  api_key_not_found: (f: { key: string }) =>
    `There is no API key in use with the id or name ${JSON.stringify(showValue(f.key))}. List them: npx duework keys list`,
  queue_full: (f: { requested: number; live: number; waiting: number; capacity: number }) =>
    f.requested > f.capacity
      ? `${f.requested} jobs at once never fit into a queue of ${f.capacity}. Enqueue them in smaller parts.`
      : `The queue holds ${f.live} of ${f.capacity} jobs and ${f.waiting} wait for room, so ${f.requested} more do not fit. Try again later.`,
  contract_changed: (f: { changed: readonly { type: string; version: number }[] }) =>
    `${f.changed.map(({ type, version }) => `Version ${version} of ${type}`).join(', ')} ${f.changed.length === 1 ? 'has' : 'have'} ` +
    'a schema that differs from the registered one. Raise the version, and keep its earlier schema in past.',
  unknown_shard: (f: { shard: string; shards: readonly string[] }) =>
    `There is no shard ${JSON.stringify(showValue(f.shard))} here. Known: ${f.shards.join(', ')}.`,
  shard_not_given: (f: { what: string; shards: readonly string[] }) =>
    `Name the shard of ${showValue(f.what)}, one of ${f.shards.join(', ')}: pass a transaction of it, or shardOf, or --shard.`,
  shards_differ: (f: { shards: readonly string[] }) =>
    `These belong in several shards (${f.shards.join(', ')}), which cannot be written in one transaction. Make one call for each shard.`,
  database_away: (f: { shard: string; problem: string }) => `Shard ${f.shard} does not answer: ${f.problem}`,
  redis_away: (f: { problem: string }) => `Redis does not answer: ${f.problem}`,
  redis_may_evict: (f: { policy: string }) =>
    `This Redis deletes jobs when its memory is full (maxmemory-policy ${f.policy}). Set maxmemory-policy to noeviction.`,
  redis_refused: (f: { problem: string }) => `Redis refused this: ${f.problem}`,
  shards_partly_done: (f: { done: readonly string[]; missing: readonly { shard: string; problem: string }[] }) =>
    `Done in ${f.done.length === 0 ? 'no shard' : f.done.join(', ')}, but not in ` +
    `${f.missing.map(({ shard, problem }) => `${shard} (${problem})`).join(', ')}. Do it again: it changes nothing where it is done.`,
  wrong_shard: (f: { expected: string; actual: string | null }) =>
    `This transaction is of ${f.actual === null ? 'a database that is not a shard' : `shard ${f.actual}`}, but the job runs in shard ${f.expected}. Pass a transaction of ${f.expected}.`,
  shard_founded: (f: { name: string; asked: string }) =>
    `This database is already shard ${f.name}, and its job ids contain that name: it cannot become ${showValue(f.asked)}.`,
  shards_disagree: (f: { problems: readonly string[] }) =>
    `SHARDS does not match the databases: ${f.problems.join('; ')}.`,
  transition_not_allowed: (f: { id: string; verb: string; status: string }) =>
    `Job ${f.id} ${be(f.status)}; ${ALLOWED[f.verb] ?? `${f.verb} is not possible`}.`,
} as const;

/** What a store without the capability lacks, for a message. */
const LACKS = {
  transactional: 'it cannot join a transaction',
  lists: 'it cannot list jobs by this',
  priorities: 'all its jobs have the same priority',
  flow: 'it has no limits, rates, orders, tenants or breakers',
  steps: 'it cannot store steps, or wait for a time, a signal or a job',
  batches: 'it has no batches',
  unique: 'its jobs can be unique by an idempotency key only',
  terms: 'it has no deadlines, and enqueues nothing when a job ends',
  events: 'it does not know who subscribes',
  objects: 'it keeps no objects for its jobs',
} as const;

/** What a store may refuse, by the caller's name for it. */
export type AskedFor =
  | 'completeIn'
  | 'step.in'
  | 'findJobs'
  | 'priority'
  | 'flow control'
  | 'durable'
  | 'fromStep'
  | 'signal'
  | 'batch'
  | 'unique'
  | 'putObject'
  | 'expiresAfter'
  | 'retryFor'
  | 'onDead'
  | 'maxWait'
  | 'publish';

/** Bounds a message, because a field's name may be as long as its payload. */
const MAX_MESSAGE = 4_000;

const be = (status: string): string => (status === 'succeeded' ? 'has succeeded' : `is ${status}`);

/** From which states each verb is possible. */
const ALLOWED: Readonly<Record<string, string>> = {
  retry: 'only a job that waits, is dead or was cancelled can be retried',
  cancel: 'only a job that has not ended can be cancelled',
  acknowledge: 'only a dead job can be acknowledged',
  free_key: 'its idempotency key can only be freed once it is dead or cancelled',
};

/** What is wrong with one field: an RFC 6901 pointer into the payload (empty: the payload itself) and a sentence. */
export interface PayloadIssue {
  readonly pointer: string;
  readonly message: string;
}

/** What is wrong with a filter, from one of its characters up to the one before another, and what to write instead. */
export interface FilterIssue {
  readonly code: string;
  readonly message: string;
  readonly from: number;
  readonly to: number;
  readonly hint: string | null;
}

export type DueworkErrorCode = keyof typeof MESSAGES;
export type DueworkErrorFacts<TCode extends DueworkErrorCode> = Parameters<(typeof MESSAGES)[TCode]>[0];

const BRAND = 'duework.error';
const DOCS = 'https://github.com/duework/duework/blob/main/docs/look-up/errors.md#';

/** The address of the row of the documentation about the code of an error. */
export const docsOf = (code: string): string => DOCS + code;

/** A refusal with a stable `code` and the `facts` of its message. When it is thrown, nothing was written. */
export class DueworkError<TCode extends DueworkErrorCode = DueworkErrorCode> extends Error {
  static {
    brand(this, BRAND);
  }

  override readonly name = 'DueworkError';
  /** The section of the documentation about `code`. */
  readonly docs: string;

  constructor(
    readonly code: TCode,
    readonly facts: DueworkErrorFacts<TCode>,
    options?: { readonly cause?: unknown },
  ) {
    super(toStorableText((MESSAGES[code] as (facts: DueworkErrorFacts<TCode>) => string)(facts), MAX_MESSAGE), options);
    this.docs = docsOf(code);
  }

  /** Whether `error` is a refusal of any copy of this package, with that code if you give one. */
  static is(error: unknown): error is DueworkError;
  static is<TCode extends DueworkErrorCode>(error: unknown, code: TCode): error is DueworkError<TCode>;
  static is(error: unknown, code?: DueworkErrorCode): boolean {
    return hasBrand(error, BRAND) && (code === undefined || (error as DueworkError).code === code);
  }
}

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
    `There is no job type ${JSON.stringify(showValue(f.type))}. Known: ${f.knownTypes.join(', ')}.`,
  unknown_job_version: (f: { type: string; version: number; oldestVersion: number; newestVersion: number }) =>
    `The payload was saved for version ${f.version} of ${f.type}; this program reads ${f.oldestVersion} to ${f.newestVersion}.`,
  invalid_payload: (f: { type: string; issues: readonly PayloadIssue[] }) =>
    `The payload of ${f.type} is not valid: ${f.issues.map((i) => `${i.pointer || '/'} ${i.message}`).join('; ')}.`,
  payload_too_large: (f: { type: string; bytes: number; limitBytes: number }) =>
    `The payload of ${f.type} is ${f.bytes} bytes; the limit is ${f.limitBytes}. Store the content elsewhere and enqueue a reference.`,
  payload_not_storable: (f: { type: string; reason: string }) =>
    `The payload of ${f.type} cannot be stored: ${f.reason}.`,
  text_not_storable: (f: { reason: string }) => `A text that was given cannot be stored or looked for: it ${f.reason}.`,
  invalid_key_ring: (f: { reason: string }) => `The key ring is not valid: ${f.reason}.`,
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
    `A ${f.type} cannot stand in line at ${f.rule}: ${f.reason}.`,
  batch_not_found: (f: { id: string }) => `There is no batch ${JSON.stringify(showValue(f.id))}.`,
  batch_settled: (f: { id: string }) => `All jobs of batch ${f.id} have ended: nothing can be added to it.`,
  alert_not_found: (f: { key: string }) => `No alert ${JSON.stringify(showValue(f.key))} is on, or silent.`,
  flow_rule_not_found: (f: { rule: string }) => `There is no flow rule ${JSON.stringify(showValue(f.rule))}.`,
  invalid_option: (f: { option: string; expected: string; value: unknown }) =>
    `${f.option} is ${f.expected}, not ${showValue(f.value)}.`,
  not_in_transaction: (f: { expected: string; actual: string }) =>
    `The statement left the caller's transaction (${f.expected}) and would have committed on its own (${f.actual}). ` +
    'Either it was sent after the transaction had ended (await it; Prisma ends one at its timeout), or an extension of a ' +
    'Prisma client runs raw queries elsewhere (pass the transaction of the unextended client).',
  unknown_client: (f: { given: GivenClient }) =>
    adapterOf(f.given) === null
      ? 'This is no client or transaction that Duework can use. Pass a Prisma client or its transaction, or a client or ' +
        'pool of pg, as they are; for Drizzle, Kysely, Knex, postgres.js and TypeORM duework/adapters has a function each.'
      : `This is ${f.given}: pass ${adapterOf(f.given)}, from duework/adapters.`,
  transaction_needed: (f: { client: string }) =>
    `This takes several statements, which have to commit together, and ${f.client} has no open transaction. ` +
    'Begin one on it first, or pass the pool.',
  isolation_too_high: (f: { isolation: string }) =>
    `A signal is sent at READ COMMITTED: at ${f.isolation.toUpperCase()} it would not see who has begun to wait meanwhile. ` +
    'Send it in a transaction of its own, or begin this one with that level.',
  not_migrated: (f: { missing: string }) =>
    `The database lacks ${f.missing}, which this program calls. Apply the migrations first: npx duework migrate`,
  permission_denied: (f: { role: string | null; has: readonly string[]; needs: readonly string[]; reason: string }) => {
    const lacks = f.needs.filter((role) => !f.has.includes(role));
    const has = f.has.length === 0 ? 'It' : `It has ${f.has.join(', ')}, and`;
    return (
      `${f.role === null ? 'The role of this connection (current_user)' : JSON.stringify(f.role)} may not do this: ${f.reason}. ` +
      (lacks.length === 0
        ? `It has ${f.has.join(', ')}, whose rights are not complete here: as the owner of the schema run npx duework roles --apply`
        : `${has} needs ${lacks.map((role) => `${role} (${FOR[role] ?? ''})`).join(' or ')}: as an administrator run npx duework roles --grant ${lacks[0]} --to ${f.role ?? '<role>'}`)
    );
  },
  invalid_job_id: (f: { id: string }) => `${JSON.stringify(showValue(f.id))} is not a job id.`,
  invalid_cursor: (f: { cursor: string }) => `${JSON.stringify(showValue(f.cursor))} is not a cursor of this list.`,
  invalid_filter: (f: { filter: string; errors: readonly FilterIssue[] }) =>
    `The filter is not valid: ${f.errors.map((e) => e.message + (e.hint === null ? '' : ` (${e.hint})`)).join(' ')}`,
  filter_too_broad: (f: { filter: string; hint: string }) =>
    `Too many runs would have to be looked at to count those that fit ${JSON.stringify(showValue(f.filter))}. ${f.hint}`,
  not_supported: (f: { asked: AskedFor; capability: keyof typeof LACKS }) =>
    `${f.asked} is not supported by this store: ${LACKS[f.capability]}.`,
  job_not_found: (f: { id: string }) => `There is no job ${f.id}.`,
  step_not_found: (f: { id: string; step: string }) =>
    `Job ${f.id} has kept no step ${JSON.stringify(showValue(f.step))}: a retry takes it anyway, where its handler asks for it.`,
  wrong_job_type: (f: { id: string; type: string; expected: string }) =>
    `Job ${f.id} is a ${f.type}, and was taken for a ${f.expected}.`,
  job_exists: (f: { id: string; type: string; status: string }) =>
    `There is a ${f.type} with this key: job ${f.id}, which is ${f.status}.`,
  job_is_running: (f: { id: string }) => `Job ${f.id} runs: only one that waits can be changed.`,
  job_is_over: (f: { id: string; status: string }) => `Job ${f.id} is ${f.status}: only one that waits can be changed.`,
  job_not_finished: (f: { id: string; status: string }) => `Job ${f.id} is ${f.status}: it has no result yet.`,
  job_failed: (f: { id: string; status: string; reason: string | null }) =>
    `Job ${f.id} is ${f.status}: it has no result${f.reason === null ? '' : ` (${f.reason})`}.`,
  invalid_result: (f: { id: string; type: string; issues: readonly PayloadIssue[] }) =>
    `The result of job ${f.id} does not fit this program's contract ${f.type}: ${f.issues.map((i) => `${i.pointer || '/'} ${i.message}`).join('; ')}.`,
  invalid_rule: (f: { part: string; expected: string; value: string }) =>
    `The rule of a schedule is not valid: ${f.part} has to be ${f.expected}, not ${f.value}.`,
  invalid_cron: (f: { cron: string; reason: string }) =>
    `${JSON.stringify(showValue(f.cron))} is not a cron rule: ${f.reason}.`,
  unknown_time_zone: (f: { zone: string }) =>
    `There is no time zone ${JSON.stringify(showValue(f.zone))}. Give an IANA name such as "Europe/Berlin" or "UTC".`,
  rule_never_fires: (f: { reason: string }) => `The rule would never fire: ${f.reason}.`,
  invalid_schedule_key: (f: { key: string }) =>
    `${JSON.stringify(showValue(f.key))} is not the key of a schedule: 1 to 200 letters, digits and ":", "_", "-", ".", "@".`,
  invalid_template: (f: { type: string; pointer: string; reason: string }) =>
    `The payload of ${f.type} has a template that cannot be filled in at ${f.pointer || '/'}: ${f.reason}.`,
  bulk_action_not_found: (f: { id: string }) => `There is no bulk action ${JSON.stringify(showValue(f.id))}.`,
  bulk_action_refused: (f: { reason: string }) => `This cannot be done to many jobs at once: ${f.reason}.`,
  bulk_action_over: (f: { id: string; status: string }) =>
    `Bulk action ${f.id} is ${f.status}: there is nothing to abort.`,
  undo_not_possible: (f: { id: string; reason: string }) => `Bulk action ${f.id} cannot be undone: ${f.reason}.`,
  schedule_not_found: (f: { key: string }) => `There is no schedule ${JSON.stringify(showValue(f.key))}.`,
  schedule_key_taken: (f: { key: string }) =>
    `There is a schedule ${JSON.stringify(showValue(f.key))} already. Edit that one, or take another key.`,
  schedule_of_another_program: (f: { key: string; program: string; owner: string }) =>
    `The schedule ${JSON.stringify(showValue(f.key))} is declared by the program ${JSON.stringify(f.owner)}, and the program ` +
    `${JSON.stringify(f.program)} declares it, too. Give it another key in one of them; or, where the program has got a new ` +
    `name, delete the schedule and start again, or keep the name: PROGRAM_NAME.`,
  api_key_name_taken: (f: { name: string }) =>
    `There is an API key ${JSON.stringify(showValue(f.name))} that is not revoked. Choose another name, or revoke it first.`,
  api_key_not_found: (f: { key: string }) =>
    `There is no API key with the id ${JSON.stringify(showValue(f.key))}, and none of that name that is not revoked.`,
  queue_full: (f: { requested: number; live: number; waiting: number; capacity: number }) =>
    f.requested > f.capacity
      ? `${f.requested} runs at once never fit a queue of ${f.capacity}: enqueue them in parts.`
      : `The queue holds ${f.live} of ${f.capacity} runs, and ${f.waiting} wait for room: there is none for ${f.requested} more. Try again later.`,
  contract_changed: (f: { changed: readonly { type: string; version: number }[] }) =>
    `${f.changed.map(({ type, version }) => `Version ${version} of ${type}`).join(', ')} ${f.changed.length === 1 ? 'has' : 'have'} ` +
    'another schema than the one that is registered. Raise the version, and keep the schema that it had in past.',
  unknown_shard: (f: { shard: string; shards: readonly string[] }) =>
    `There is no shard ${JSON.stringify(showValue(f.shard))} here. Known: ${f.shards.join(', ')}.`,
  shard_not_given: (f: { what: string; shards: readonly string[] }) =>
    `It is not said in which shard ${showValue(f.what)} belongs, and that is never guessed. Known: ${f.shards.join(', ')}.`,
  shards_differ: (f: { shards: readonly string[] }) =>
    `These belong in several shards (${f.shards.join(', ')}), which cannot be written as one: send a call for each shard.`,
  database_away: (f: { shard: string; problem: string }) => `Shard ${f.shard} does not answer: ${f.problem}`,
  redis_away: (f: { problem: string }) => `Redis does not answer: ${f.problem}`,
  redis_may_evict: (f: { policy: string }) =>
    `This Redis throws jobs away when its memory is full (maxmemory-policy ${f.policy}): set it to noeviction.`,
  redis_refused: (f: { problem: string }) => `Redis has refused this: ${f.problem}`,
  shards_partly_done: (f: { done: readonly string[]; missing: readonly { shard: string; problem: string }[] }) =>
    `It was done in ${f.done.length === 0 ? 'no shard' : f.done.join(', ')}, and not in ` +
    `${f.missing.map(({ shard, problem }) => `${shard} (${problem})`).join(', ')}: do it again, which does no harm where it was done.`,
  wrong_shard: (f: { expected: string; actual: string | null }) =>
    `This transaction is one of ${f.actual === null ? 'a database that is no shard' : `shard ${f.actual}`}, and the job runs in shard ${f.expected}.`,
  shard_founded: (f: { name: string; asked: string }) =>
    `This database is shard ${f.name} already, and its ids say so: it cannot become ${showValue(f.asked)}.`,
  shards_disagree: (f: { problems: readonly string[] }) =>
    `The shards are not what they are called: ${f.problems.join('; ')}.`,
  transition_not_allowed: (f: { id: string; verb: string; status: string }) =>
    `Job ${f.id} is ${f.status}: it cannot be ${PAST[f.verb] ?? f.verb}.`,
} as const;

/** What a store without the capability cannot do, as part of a message. */
const LACKS = {
  transactional: 'it takes no part in transactions',
  lists: 'it keeps no lists',
  priorities: 'it has one priority for all',
  flow: 'it has no limits, rates, orders, tenants and breakers',
  steps: 'it keeps no steps, and no waits for a time, a signal or a job',
  batches: 'it counts no batches',
  unique: 'it knows idempotency keys, and no other rule that makes jobs one of a kind',
  terms: 'it keeps no time that runs out, and tells no other job of an end',
} as const;

/** What a store may be asked for that it cannot do, as its caller knows it. */
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
  | 'expiresAfter'
  | 'retryFor'
  | 'onDead'
  | 'maxWait';

/** Bounds a message, because a field's name may be as long as its payload. */
const MAX_MESSAGE = 4_000;

const PAST: Readonly<Record<string, string>> = {
  retry: 'retried',
  cancel: 'cancelled',
  acknowledge: 'acknowledged',
  free_key: 'parted from its key',
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

/** A refusal with a stable `code` and the `facts` of its message. When it is thrown, nothing was written. */
export class DueworkError<TCode extends DueworkErrorCode = DueworkErrorCode> extends Error {
  static {
    brand(this, BRAND);
  }

  override readonly name = 'DueworkError';

  constructor(
    readonly code: TCode,
    readonly facts: DueworkErrorFacts<TCode>,
    options?: { readonly cause?: unknown },
  ) {
    super(toStorableText((MESSAGES[code] as (facts: DueworkErrorFacts<TCode>) => string)(facts), MAX_MESSAGE), options);
  }

  /** Whether `error` is a refusal of this package, and with that code where one is given; of any copy of it. */
  static is(error: unknown): error is DueworkError;
  static is<TCode extends DueworkErrorCode>(error: unknown, code: TCode): error is DueworkError<TCode>;
  static is(error: unknown, code?: DueworkErrorCode): boolean {
    return hasBrand(error, BRAND) && (code === undefined || (error as DueworkError).code === code);
  }
}

import type { HttpErrorCode } from '../http-errors.js';

/** What a problem's page says beside its title. */
export interface Advice {
  readonly means: string;
  readonly fix: string;
}

const TRY_AGAIN = 'Send the same request again after the seconds in Retry-After. Nothing was written.';
const OUR_MISTAKE = 'This is a fault of the server, not of the request: give its owner the requestId of the answer.';
/** For what a program of one's own gets, too. */
const OVER_HTTP = 'Over HTTP: give the owner of the server the requestId of the answer.';

/** What each code means and what to do, for the page that the `type` of a problem points to. */
export const PROBLEM_ADVICE: Readonly<Record<HttpErrorCode, Advice>> = {
  empty_body: {
    means: 'This route needs a JSON body, and none came.',
    fix: 'Send the body that the API document describes.',
  },
  incomplete_body: {
    means: 'The connection ended before the whole body had arrived.',
    fix: 'Send the request again. If it happens again, check whether a proxy cuts uploads short.',
  },
  malformed_json: {
    means: 'The body is not JSON in UTF-8. The detail says where it stops being JSON.',
    fix: 'Write the body with a JSON library, not by joining strings.',
  },
  malformed_request: {
    means: 'What arrived is not HTTP, or its address or Host header cannot be read.',
    fix: 'Check the address, its percent-encoding, and the proxy in between.',
  },
  invalid_query: {
    means: 'A query parameter is unknown, is given twice, or has a value that is not allowed.',
    fix: 'See errors: each entry names a parameter and what it takes.',
  },
  malformed_idempotency_key: {
    means: 'The header Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.',
    fix: 'Send a UUID: a new one for each action, and the same one when you repeat that request.',
  },
  invalid_cursor: {
    means: 'This list did not return that cursor.',
    fix: 'Use nextCursor of the last page unchanged, or leave it out to start at the first page.',
  },
  cursor_ahead: {
    means: 'The cursor is of another database, or this one was restored and has lost what it was read from.',
    fix: 'Begin with after=now, or leave it out to begin with the oldest job that is kept.',
  },
  shard_not_given: {
    means:
      'This API serves several databases, and the request does not say which: an id lacks its shard, a key must be unique, or only one shard can answer.',
    fix: 'Write ids with their shard, as answers have them, or add ?shard= with a name from the detail.',
  },

  unauthenticated: {
    means: 'This route is not public, and the request does not say who calls.',
    fix: 'Send Authorization: Bearer and an API key. npx duework keys create makes one.',
  },
  invalid_credentials: {
    means: 'The key or token in the Authorization header is not known here: cut off, mistyped, or of another server.',
    fix: 'Copy the whole key. If it is lost, create a new one: it is shown only once.',
  },
  expired_credentials: {
    means: 'The key or token has expired.',
    fix: 'Create a new key with npx duework keys create, or sign in again.',
  },
  revoked_credentials: {
    means: 'This key was revoked.',
    fix: 'Ask its owner why. npx duework keys create makes a new one.',
  },
  sign_in_refused: {
    means: 'The issuer refused the sign-in, or returned a token that this API does not accept.',
    fix: 'Sign in again. If that fails too, give the owner of the server the detail: it names the setting.',
  },
  missing_scope: {
    means: 'The caller is known, but this key or role may not do that.',
    fix: 'Use or create a key with the scope that the detail names.',
  },
  limited_to_types: {
    means: 'This key is limited to some job types, but the request is about jobs of every type.',
    fix: 'Use a key without that limit, or ask for jobs of its types.',
  },

  not_found: { means: 'No route has this address.', fix: 'The API document (/openapi.json) lists the addresses.' },
  unknown_shard: {
    means: 'No database behind this API has the shard name that the request or its id contains.',
    fix: 'GET /v1/shards lists the names. Use ids exactly as answers have them.',
  },
  job_not_found: {
    means: 'No live or finished job has this id. Finished jobs are deleted after a time.',
    fix: 'Check the id, and how long finished jobs are kept (RETENTION_DAYS, RETENTION_DEAD_DAYS).',
  },
  invalid_job_id: {
    means: 'No job can have this id: ids are whole numbers above 0.',
    fix: 'Use the id as an enqueue or a list returned it.',
  },
  schedule_not_found: { means: 'No schedule has this key.', fix: 'List the schedules and take the key from there.' },
  shards_differ: {
    means: 'One request writes to one shard, but these jobs belong in several.',
    fix: 'Send one request for each shard.',
  },
  shard_founded: {
    means: 'The database already has a shard name, and its job ids contain it.',
    fix: 'Use its present name.',
  },
  wrong_shard: {
    means: 'A transaction of a different database than the job’s was passed.',
    fix: `In a program: pass a transaction of the shard that the message names. ${OVER_HTTP}`,
  },
  shards_partly_done: {
    means: 'Some shards do not answer, so the change was not made in all of them. The detail names both.',
    fix: 'Send the same request again once they answer: it changes nothing where it is done.',
  },
  shards_disagree: {
    means: 'A database is not the shard that this server takes it for.',
    fix: 'Tell the owner of the server: an address of SHARDS is wrong.',
  },
  step_not_found: {
    means: 'The job has no recorded step of this name: there is none, or it has not ended.',
    fix: 'Retry it without fromStep, or take the name from GET /v1/jobs/{id}/steps.',
  },
  approval_not_found: {
    means: 'The job asks nothing under this name.',
    fix: 'List what it asks with GET /v1/jobs/{id}/approvals.',
  },
  approval_over: {
    means: 'Somebody has decided already, the time is over, or the job no longer waits. The detail says which.',
    fix: 'Nothing: a decision is taken once. An operator can retry a job that has ended.',
  },
  not_asked: {
    means: 'The handler names who may decide, and this caller is not among them.',
    fix: 'Let one of those decide that GET /v1/jobs/{id}/approvals names in by.',
  },
  wait_not_changeable: {
    means: 'The job does not wait there, or its wait has no deadline that could be skipped or extended.',
    fix: 'See what it waits for with GET /v1/jobs/{id}/steps. A child is cancelled or retried itself.',
  },
  event_not_found: {
    means: 'No program that this server knows subscribes to an event of this name, or publishes it.',
    fix: 'List them with GET /v1/published-events. A worker makes its events known when it starts.',
  },
  not_subscribed: {
    means: 'The type of job does not subscribe to this event, or no longer does.',
    fix: 'List the subscribers with GET /v1/published-events. A worker subscribes when it starts.',
  },
  still_subscribed: {
    means: 'Live workers run code that subscribes, which would subscribe again when they restart.',
    fix: 'Deploy the contract with subscribed: false, or stop the workers that the detail names first.',
  },
  batch_not_found: { means: 'No batch has this id.', fix: 'List them with GET /v1/batches.' },
  batch_settled: {
    means: 'All jobs of the batch have ended and its onSettled job was enqueued, so nothing can be added.',
    fix: 'Start another batch, or add jobs from the handler of a job of the batch.',
  },
  alert_not_found: {
    means: 'No alert with this key is on, or it is not silent.',
    fix: 'List alerts and silences with GET /v1/alerts.',
  },
  flow_rule_not_found: {
    means: 'No contract declares a rule of flow control with this kind and name.',
    fix: 'List the rules with GET /v1/flow and use their kind and name.',
  },
  api_key_not_found: { means: 'No API key has this name.', fix: 'List them with npx duework keys.' },
  bulk_action_not_found: { means: 'No bulk action has this id.', fix: 'List them with GET /v1/bulk-actions.' },
  bulk_action_over: {
    means: 'The bulk action has ended, so there is nothing to abort.',
    fix: 'See what it did with GET /v1/bulk-actions/{id}; it can be undone within an hour.',
  },
  undo_not_possible: {
    means:
      'The bulk action cannot be undone: too much time has passed, its verb has no undo, or it was undone already.',
    fix: 'Start a bulk action that does the opposite, with a filter for the jobs that it changed.',
  },
  bulk_action_refused: {
    means: 'No job matches the filter, more match than atMost allows, or the verb does not apply to them.',
    fix: 'Call POST /v1/bulk-actions/preview first, and send its count as atMost.',
  },
  invalid_filter: {
    means: 'The filter cannot be read. Each of the errors says at which character, and often what was meant.',
    fix: 'Write it like status:dead type:send_invoice since:2h "text of an error".',
  },
  filter_too_broad: {
    means: 'Counting the matches would read more jobs than one request may.',
    fix: 'Add the filter that the detail names, such as status:dead, a type, or since:2h.',
  },
  span_too_wide: {
    means: 'More effects or attempts of the type fall into this time than one request may read.',
    fix: 'Check it in parts: the detail says until when the first of them can go.',
  },
  wrong_job_type: {
    means: 'The request names the contract of another type than the job’s.',
    fix: 'Use the contract that the job was enqueued with.',
  },
  queue_not_allowed: {
    means: 'The contract of the type does not name this queue among its queues.',
    fix: 'Leave queue out, use one that the detail names, or add it to queues in the contract.',
  },
  job_exists: {
    means: 'The contract allows one such job at a time, and there already is one.',
    fix: 'Wait for that one: the detail names it.',
  },
  job_is_running: {
    means: 'A worker is running the job, so a change would come too late for this attempt.',
    fix: 'Cancel it and enqueue another, or change it while it waits for its retry.',
  },
  job_is_over: {
    means: 'The job has succeeded, is dead or was cancelled: there is nothing left to change.',
    fix: 'Enqueue another one, or retry it first: POST /v1/jobs/{id}/retry.',
  },
  job_not_finished: {
    means: 'The job has not succeeded yet, so it has no result.',
    fix: 'Wait for it with ?wait=30, or follow its events.',
  },
  job_failed: {
    means: 'The job died or was cancelled, so it has no result.',
    fix: 'Read the job’s errorCode and lastError.',
  },
  invalid_result: {
    means: 'The stored result does not match the contract that reads it.',
    fix: 'Deploy the same contract to the worker and to this server.',
  },
  invalid_flow_value: {
    means: 'The payload lacks the value that a flow rule of the contract is by, or the number that it costs.',
    fix: 'Send a text, number or boolean at the path that the contract names.',
  },
  invalid_key_ring: {
    means: 'The encryption keys of this server cannot be read.',
    fix: 'Set DUEWORK_KEYS to k2:<base64>,k1:<base64>, each of 32 bytes; the first one encrypts.',
  },
  payload_not_readable: {
    means: 'A sensitive value was changed in the database, or its key is not the one that it was encrypted with.',
    fix: 'Restore the key that the value names, or the row from a backup.',
  },
  offload_missing: {
    means: 'A payload or a result is in the store of large payloads, which this server was not given.',
    fix: 'Its owner calls setOffload with the store of the other programs when the server starts.',
  },
  store_unavailable: {
    means: 'The store of large payloads does not answer, or refuses the server. Nothing was written.',
    fix: TRY_AGAIN,
  },
  object_missing: {
    means: 'The payload or the result was in the store of large payloads, and is not there any more.',
    fix: 'Restore the object from a backup of the store, then retry the job; or enqueue it again.',
  },
  object_altered: {
    means: 'The object in the store of large payloads is not what was put there.',
    fix: 'Restore the object from a backup of the store, then retry the job; or enqueue it again.',
  },
  object_not_kept: {
    means: 'Only payloads and results of jobs can name objects: nothing would keep those that others name.',
    fix: 'Enqueue a job with the reference.',
  },
  store_shared: {
    means: 'Several databases keep objects in the same folder, prefix or bucket, so nothing there is removed.',
    fix: 'The owner of the server gives each database a place of its own.',
  },
  key_missing: {
    means: 'A sensitive value was encrypted with a key that this server does not have.',
    fix: 'Add the key that the detail names to DUEWORK_KEYS, after the current one.',
  },
  key_ring_missing: {
    means: 'The contract requires encryption, but this server has no keys.',
    fix: 'Set DUEWORK_KEYS.',
  },
  method_not_allowed: {
    means: 'This address does not accept the method.',
    fix: 'Use one of the methods in the header Allow.',
  },
  request_timeout: {
    means: 'The request took longer to arrive than a server waits for it.',
    fix: 'Send it again, in smaller parts or over a faster connection.',
  },
  unknown_job_version: {
    means: 'This server does not know the contract version of the payload.',
    fix: 'Deploy this server with the contracts that have that version.',
  },
  contract_changed: {
    means: 'A different schema is registered for the same version of a contract.',
    fix: 'Raise the version of the contract and keep its earlier schema in past.',
  },
  idempotency_key_in_flight: {
    means: 'The first request with this Idempotency-Key is still being answered.',
    fix: 'Send the same request again after the seconds in Retry-After: it gets the first one’s answer.',
  },
  schedule_key_taken: {
    means:
      'The request asked for a new schedule (`If-None-Match: *`), and there is one with this key. Nothing was written.',
    fix: 'Choose another key, or leave the header out to edit the existing schedule.',
  },
  schedule_of_another_program: {
    means: 'The code of another program declares a schedule with this key, and each program keeps its own.',
    fix: 'Give the schedule another key. If you renamed the program, delete the schedule and start again.',
  },
  api_key_name_taken: {
    means: 'There is already an API key of this name.',
    fix: 'Choose another name.',
  },
  transition_not_allowed: {
    means: 'The action is not possible in the job’s status, such as a retry while it is running.',
    fix: 'The detail says in which statuses it is possible.',
  },

  body_too_large: {
    means: 'The body is larger than the limit that the detail names.',
    fix: 'Send fewer jobs at once, or store the content elsewhere and enqueue a reference.',
  },
  payload_too_large: {
    means: 'The payload of a job is larger than the limit of this server.',
    fix: 'Store the content elsewhere and enqueue a reference to it.',
  },
  unsupported_media_type: {
    means: 'The body is not sent as application/json in UTF-8, or it is compressed.',
    fix: 'Send Content-Type: application/json and no Content-Encoding.',
  },

  invalid_body: {
    means: 'The body is JSON, but does not match the schema of this route.',
    fix: 'See errors: each entry points into the body and says what is wrong there.',
  },
  unknown_job_type: {
    means: 'No contract of this program, or of this server, has that type.',
    fix: 'Check the spelling, and that it was deployed with the contract.',
  },
  invalid_payload: {
    means: 'The payload does not match the contract of its type.',
    fix: 'See errors: each entry points into the payload. Over HTTP, the API document has its JSON Schema.',
  },
  payload_not_storable: {
    means: 'The payload contains something that PostgreSQL cannot store, such as U+0000 or an infinite number.',
    fix: 'See errors, and remove or encode that value.',
  },
  text_not_storable: {
    means: 'A text of the request has a NUL, half a surrogate pair, or more characters than an index can hold.',
    fix: 'Remove or encode it. The detail says which it is.',
  },
  invalid_idempotency_key: {
    means: 'The idempotencyKey in the body must be a text of 1 to 10,000 characters.',
    fix: 'Send the key of the business event, such as invoice:812, or null for none.',
  },
  idempotency_key_reused: {
    means: 'This Idempotency-Key was used with another method, path or body in the last 24 hours.',
    fix: 'Repeat the earlier request exactly to get its answer, or use a new key for a new request.',
  },
  invalid_option: {
    means: 'An option beside the payload has a value that is not allowed.',
    fix: 'See errors: each entry names the option and what it takes.',
  },

  invalid_rule: {
    means: 'A part of the rule of a schedule is not valid.',
    fix: 'See errors for the part, and preview the rule: npx duework schedules preview, or POST /v1/schedule-previews.',
  },
  invalid_cron: {
    means: 'The five or six fields of the cron rule cannot be read.',
    fix: 'Write minute, hour, day, month and weekday, and preview it: npx duework schedules preview "0 9 * * 1-5".',
  },
  unknown_time_zone: {
    means: 'There is no time zone of that name.',
    fix: 'Use an IANA name such as Europe/Berlin, or UTC.',
  },
  rule_never_fires: {
    means: 'The rule is right as it is written, and no moment fits it, such as 30 February.',
    fix: 'Correct it, and preview it: npx duework schedules preview, or POST /v1/schedule-previews.',
  },
  invalid_schedule_key: {
    means: 'The key of a schedule is 1 to 200 letters, digits and : _ - . @',
    fix: 'Choose another key.',
  },
  invalid_template: {
    means: 'A template in the payload, such as {"$due": "date"}, cannot be filled in.',
    fix: 'Look at errors for the place, and at the names that a template can have.',
  },

  rate_limited: {
    means:
      'One caller sent more requests within a minute than it may, or has more streams open, or more bytes of bodies on their way.',
    fix: 'Wait for as long as Retry-After says. Batches of up to 1,000 jobs count as one request; send them one after the other.',
  },
  headers_too_large: {
    means: 'The address and the headers of the request are larger than 16 KiB together.',
    fix: 'Send fewer or smaller headers; cookies are the usual reason.',
  },

  not_in_transaction: {
    means: 'The statement ran outside of the transaction that it belongs to, so nothing was written.',
    fix: `In a program: await the call inside the transaction, and pass the transaction of the unextended client. ${OVER_HTTP}`,
  },
  unknown_client: {
    means: 'The queue was given a database client that it does not know.',
    fix: `In a program: pass a Prisma or pg client as it is, or wrap another one with duework/adapters. ${OVER_HTTP}`,
  },
  isolation_too_high: {
    means: 'This API’s sessions are at REPEATABLE READ or SERIALIZABLE, where a signal would miss waiting jobs.',
    fix: 'Set default_transaction_isolation = read committed for its role.',
  },
  transaction_needed: {
    means: 'This sends several statements that commit together, but the server’s client cannot begin a transaction.',
    fix: 'Begin a transaction on the client first, or pass a pool or a Prisma client.',
  },
  internal_error: { means: 'An unexpected error happened.', fix: OUR_MISTAKE },
  not_supported: {
    means: 'The queue of this server (Redis, say) cannot do that.',
    fix: 'Use a server whose queue is in PostgreSQL.',
  },
  overloaded: {
    means: 'All callers together send more than this process takes at once.',
    fix: TRY_AGAIN,
  },
  query_too_slow: {
    means: 'A statement took too long in the database and was cancelled.',
    fix: 'Ask for less: a narrower filter, a shorter time, a smaller page.',
  },
  queue_full: { means: 'The queue holds as many jobs as its capacity allows.', fix: TRY_AGAIN },
  issuer_unavailable: {
    means: 'The OpenID Connect issuer does not answer.',
    fix: TRY_AGAIN,
  },
  database_busy: { means: 'Writers conflicted several times in a row.', fix: TRY_AGAIN },
  database_unavailable: { means: 'The database did not answer.', fix: TRY_AGAIN },
  not_migrated: {
    means: 'The database lacks a migration that this program needs.',
    fix: 'The owner of the server applies the migrations: npx duework migrate',
  },
  permission_denied: {
    means: 'The role with which this program connects to the database lacks a right.',
    fix: 'The owner of the server gives it the role duework_operator: npx duework roles --grant duework_operator --to <role>',
  },
  database_away: {
    means: 'The database of this shard does not answer, or none does. Others go on.',
    fix: 'Send it again after the seconds in Retry-After. A change may have been made: check first, or use an Idempotency-Key.',
  },
  redis_away: {
    means: 'The Redis of the dedicated queue does not answer.',
    fix: 'Send the request again later. What is enqueued in a transaction waits in the database until it answers.',
  },
  redis_may_evict: {
    means: 'The Redis of the dedicated queue deletes jobs when its memory is full.',
    fix: 'Its owner sets maxmemory-policy to noeviction.',
  },
  redis_refused: { means: 'The Redis of the dedicated queue refused a command.', fix: OUR_MISTAKE },
  not_ready: {
    means: 'The database does not answer, or lacks a migration. The log of the server has the reason.',
    fix: 'Try again in a moment; a load balancer sends requests elsewhere until then.',
  },
  stopping: {
    means: 'This process is finishing its last requests before it ends.',
    fix: 'Send the request again: another process answers it.',
  },
};

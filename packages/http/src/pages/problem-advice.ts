import type { HttpErrorCode } from '../http-errors.js';

/** What a problem's page says beside its title. */
export interface Advice {
  readonly means: string;
  readonly fix: string;
}

const TRY_AGAIN = 'Send the same request again after the time that Retry-After says. Nothing was written.';
const OUR_MISTAKE = 'It is a mistake of the server, not of the request: tell its owner the requestId of the answer.';

/** What each code means and what to do, for the page that the `type` of a problem points to. */
export const PROBLEM_ADVICE: Readonly<Record<HttpErrorCode, Advice>> = {
  empty_body: {
    means: 'This route needs a JSON body, and none came.',
    fix: 'Send the body that the API document describes.',
  },
  incomplete_body: {
    means: 'The connection ended before the whole body had arrived.',
    fix: 'Send the request again. A proxy that cuts uploads short may be in between.',
  },
  malformed_json: {
    means: 'The body is not JSON in UTF-8. The detail says where it stops being JSON.',
    fix: 'Make the body with a JSON library and not by joining texts.',
  },
  malformed_request: {
    means: 'What arrived is not HTTP, or its address or Host header cannot be read.',
    fix: 'Check the address, its percent-encoding, and the proxy in between.',
  },
  invalid_query: {
    means: 'A parameter of the query is unknown, is given twice, or has a value that it cannot have.',
    fix: 'Look at errors: each entry names a parameter and says what it takes.',
  },
  malformed_idempotency_key: {
    means: 'The header Idempotency-Key has to be 1 to 255 visible ASCII characters without blanks.',
    fix: 'Send a UUID: one for each thing to do, and the same one each time you send that request again.',
  },
  invalid_cursor: {
    means: 'The cursor is not one that this list has given.',
    fix: 'Take the cursor from the page before unchanged, or leave it out to begin at the first page.',
  },
  shard_not_given: {
    means:
      'This API is over several databases, and nothing says which one is meant: an id without the name of its shard, a job whose key has to be unique, or a request that one shard alone can answer.',
    fix: 'Write ids with their shard, as answers have them, or add ?shard= with one of the names in the detail.',
  },

  unauthenticated: {
    means: 'This route is not public, and the request does not say who calls.',
    fix: 'Send Authorization: Bearer and an API key. npx duework keys create makes one.',
  },
  invalid_credentials: {
    means: 'The Authorization header has a key or token that is not known here: cut, mistyped, or of another server.',
    fix: 'Copy the key whole. Where it is lost, make a new one: it is shown once.',
  },
  expired_credentials: {
    means: 'The key or token was good, and its time is over.',
    fix: 'Make a new key with npx duework keys create, or log in again.',
  },
  revoked_credentials: {
    means: 'Somebody has revoked this key.',
    fix: 'Ask its owner why. npx duework keys create makes a new one.',
  },
  sign_in_refused: {
    means: 'The issuer did not let the person in, or what came back from it is not good for this API.',
    fix: 'Sign in again. Where that ends the same way, tell the owner of the server the detail: it names the setting.',
  },
  missing_scope: {
    means: 'It is known who calls, and this key or role may not do that.',
    fix: 'Use a key that has the scope which the detail names, or make one that has it.',
  },
  limited_to_types: {
    means: 'This key is for jobs of some types alone, and the request is about jobs of every type.',
    fix: 'Use a key with the scope enqueue itself, or ask for jobs of those types.',
  },

  not_found: { means: 'No route has this address.', fix: 'Look at the API document for the addresses that there are.' },
  unknown_shard: {
    means: 'No database behind this API has the name that the request, or the id in it, says.',
    fix: 'GET /v1/shards has the names. An id keeps the name that it was given out with.',
  },
  job_not_found: {
    means: 'No live or finished job has this id. History is kept for a time and then removed.',
    fix: 'Check the id, and how long finished jobs are kept (RETENTION_DAYS, RETENTION_DEAD_DAYS).',
  },
  invalid_job_id: {
    means: 'The id in the address cannot be the id of any job: ids are whole numbers above 0.',
    fix: 'Use the id as an enqueue or a list has given it.',
  },
  schedule_not_found: { means: 'No schedule has this key.', fix: 'List the schedules and take the key from there.' },
  shards_differ: {
    means: 'What is written together is written in one shard, and these jobs belong in several.',
    fix: 'Send a request for each shard.',
  },
  shard_founded: {
    means: 'The database has a name as a shard already, and the ids of its jobs have it.',
    fix: 'Use the name that it has.',
  },
  wrong_shard: { means: 'A handler has passed a transaction of another database than its job’s.', fix: OUR_MISTAKE },
  shards_partly_done: {
    means:
      'What is done in every shard was not done in all of them, because some do not answer. The detail names both.',
    fix: 'Send the same request again once they answer: it does no harm where it was done.',
  },
  shards_disagree: {
    means: 'A database is not the shard that this server takes it for.',
    fix: 'Tell the owner of the server: an address of SHARDS is wrong.',
  },
  step_not_found: {
    means: 'The job has kept no step of this name: it has no such step, or has not ended it.',
    fix: 'Retry it without fromStep, or take the name from GET /v1/jobs/{id}/steps.',
  },
  batch_not_found: { means: 'No batch has this id.', fix: 'List them with GET /v1/batches.' },
  batch_settled: {
    means: 'All jobs of the batch have ended, and what waited for that was enqueued: nothing can be added any more.',
    fix: 'Begin another batch; or let a job of the batch add the others in its handler.',
  },
  alert_not_found: {
    means: 'No alert with this key is on, so nobody can look after it; or it is not silent.',
    fix: 'List what is on and what is silent with GET /v1/alerts.',
  },
  flow_rule_not_found: {
    means: 'No contract declares a rule of flow control with this kind and name.',
    fix: 'List the rules with GET /v1/flow and take kind and name from there.',
  },
  api_key_not_found: { means: 'No API key has this name.', fix: 'List them with npx duework keys.' },
  bulk_action_not_found: { means: 'No bulk action has this id.', fix: 'List them with GET /v1/bulk-actions.' },
  bulk_action_over: {
    means: 'The bulk action has ended, so there is nothing to abort.',
    fix: 'Look at what it did with GET /v1/bulk-actions/{id}; within an hour it can be undone.',
  },
  undo_not_possible: {
    means:
      'The bulk action cannot be undone: too much time has passed, its verb has no undo, or it was undone already.',
    fix: 'Start a bulk action that does the opposite, with a filter for the jobs that it changed.',
  },
  bulk_action_refused: {
    means: 'The verb is not for the jobs that the filter names, no job fits, or more fit than atMost allows.',
    fix: 'Ask POST /v1/bulk-actions/preview first, and send its count as atMost.',
  },
  invalid_filter: {
    means: 'The filter cannot be read. Each of the errors says at which character, and often what was meant.',
    fix: 'Write it like status:dead type:send_invoice since:2h "text of an error".',
  },
  filter_too_broad: {
    means: 'To count what fits, the server would have to look at more jobs than it does in one request.',
    fix: 'Add the filter that the detail names, such as status:dead, a type, or since:2h.',
  },
  wrong_job_type: {
    means: 'The result was asked for, or the payload was given, with the contract of another type.',
    fix: 'Name the contract that the job was enqueued with.',
  },
  queue_not_allowed: {
    means: 'The contract of the type does not name this queue among its queues.',
    fix: 'Leave queue out, take one of those that the detail names, or add it to queues in the contract.',
  },
  job_exists: {
    means: 'The contract of the type allows one job at a time for what this one is about, and there is one.',
    fix: 'Wait for that one: the detail names it.',
  },
  job_is_running: {
    means: 'A worker has taken the job, so that a change would come too late for this attempt.',
    fix: 'Cancel it and enqueue another one, or wait until it waits for its retry.',
  },
  job_is_over: {
    means: 'The job has succeeded, is dead or was cancelled: there is nothing left to change.',
    fix: 'Enqueue another one, or bring it back first: POST /v1/jobs/{id}/retry.',
  },
  job_not_finished: {
    means: 'A job has a result when it has succeeded.',
    fix: 'Wait for it: ?wait=30, or its events.',
  },
  job_failed: {
    means: 'The job died or was cancelled, so it has no result.',
    fix: 'Read its errorCode and lastError.',
  },
  invalid_result: {
    means: 'What the handler returned does not fit the result of the contract that reads it.',
    fix: 'Deploy the same contract to the worker and to this server.',
  },
  invalid_flow_value: {
    means:
      'The payload has no value by which the contract has its jobs stand in line, or no number of what a job takes.',
    fix: 'Send a text, a number or a boolean at the path that the contract names.',
  },
  invalid_key_ring: {
    means: 'The keys that sensitive values are encrypted with were given in a form that cannot be read.',
    fix: 'Set DUEWORK_KEYS to k2:<base64>,k1:<base64>, each of 32 bytes; the first one encrypts.',
  },
  payload_not_readable: {
    means: 'A sensitive value was changed in the database, or its key is another one than it was encrypted with.',
    fix: 'Restore the key that the value names, or the row from a backup.',
  },
  key_missing: {
    means: 'A sensitive value was encrypted with a key that this server does not have.',
    fix: 'Add the key that the detail names to DUEWORK_KEYS, behind the current one.',
  },
  key_ring_missing: {
    means: 'The contract requires that its sensitive values are encrypted, and this server has no keys.',
    fix: 'Set DUEWORK_KEYS.',
  },
  method_not_allowed: {
    means: 'The address is right, and the method is not.',
    fix: 'Use one of the methods in the header Allow.',
  },
  request_timeout: {
    means: 'The request took longer to arrive than a server waits for it.',
    fix: 'Send it again, over a faster connection or in smaller parts.',
  },
  unknown_job_version: {
    means: 'The payload is of a version of its contract that this server does not know.',
    fix: 'Deploy this server with the contracts that the payload was written for.',
  },
  contract_changed: {
    means: 'Another schema was registered under the same version of a contract.',
    fix: 'Raise the version of the contract and keep the schema that it had in past.',
  },
  idempotency_key_in_flight: {
    means: 'The first request with this Idempotency-Key is being answered at this moment.',
    fix: 'Send the same request again after the time that Retry-After says: it then gets the answer of the first one.',
  },
  schedule_key_taken: {
    means:
      'The request asked for a new schedule (`If-None-Match: *`), and there is one with this key. Nothing was written.',
    fix: 'Take another key, or leave the header out to edit the schedule that is there.',
  },
  schedule_of_another_program: {
    means: 'The code of another program declares a schedule with this key, and each program keeps its own.',
    fix: 'Give the schedule another key. Where the program has got a new name, delete the schedule and start it again.',
  },
  api_key_name_taken: {
    means: 'There is an API key with this name already, and names stand in the audit.',
    fix: 'Choose another name.',
  },
  transition_not_allowed: {
    means: 'The job is in a state in which that cannot be done, such as a retry of one that runs.',
    fix: 'Look the job up: its status says what can be done.',
  },

  body_too_large: {
    means: 'The body is larger than this route takes. The detail says how large it may be.',
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
    means: 'The body is JSON, and not of the shape that this route takes.',
    fix: 'Look at errors: each entry points to a place in the body and says what is wrong there.',
  },
  unknown_job_type: {
    means: 'No contract of this server has that type.',
    fix: 'Check the type for typing errors, and that this server was deployed with the contract.',
  },
  invalid_payload: {
    means: 'The payload does not fit the contract of its type.',
    fix: 'Look at errors: each entry points into the payload. The API document has its JSON Schema.',
  },
  payload_not_storable: {
    means:
      'The payload has something that PostgreSQL cannot store, such as the character U+0000 or a number without end.',
    fix: 'Look at errors, and leave that out or encode it.',
  },
  text_not_storable: {
    means: 'A text of the request has a NUL, half a surrogate pair, or more characters than an index can hold.',
    fix: 'Leave that out, or encode it. The detail says which of these it is.',
  },
  invalid_idempotency_key: {
    means:
      'The idempotencyKey in the body is not text of 1 to 10,000 characters. It is no header: it names a business event.',
    fix: 'Send the key of the business event, such as invoice:812, or null for none.',
  },
  idempotency_key_reused: {
    means: 'This Idempotency-Key came with another method, path or body within the last 24 hours.',
    fix: 'Send exactly the request of before to get its answer, or take a new key for a new request.',
  },
  invalid_option: {
    means: 'An option beside the payload is outside of what it may be.',
    fix: 'Look at errors: each entry names the option and says what it takes.',
  },

  invalid_rule: {
    means: 'A part of the rule of a schedule is not valid.',
    fix: 'Look at errors for the part, and try the rule with POST /v1/schedule-previews.',
  },
  invalid_cron: {
    means: 'The five fields of the cron rule cannot be read.',
    fix: 'Write minute, hour, day, month and weekday, such as 0 9 * * 1-5, and preview it.',
  },
  unknown_time_zone: {
    means: 'There is no time zone of that name.',
    fix: 'Use an IANA name such as Europe/Berlin, or UTC.',
  },
  rule_never_fires: {
    means: 'The rule is right as it is written, and no moment fits it, such as 30 February.',
    fix: 'Preview the rule with POST /v1/schedule-previews and correct it.',
  },
  invalid_schedule_key: {
    means: 'The key of a schedule is 1 to 200 letters, digits and : _ - . @',
    fix: 'Choose another key.',
  },
  invalid_template: {
    means: 'A template in the payload, such as {"$slot": "date"}, cannot be filled in.',
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
    means: 'The statement would have run outside of the transaction that it belongs to, so it was not sent.',
    fix: OUR_MISTAKE,
  },
  unknown_client: { means: 'The queue was given a database client that it does not know.', fix: OUR_MISTAKE },
  isolation_too_high: {
    means: 'The sessions of this API are at REPEATABLE READ or SERIALIZABLE, where a signal would not see who waits.',
    fix: 'Give its connection default_transaction_isolation = read committed, as a setting of its role, say.',
  },
  transaction_needed: {
    means:
      'This takes several statements that commit together, and the client of this server can begin no transaction.',
    fix: 'The owner of the server passes a pool or a Prisma client instead of a single session.',
  },
  internal_error: { means: 'Something went wrong that nobody had expected.', fix: OUR_MISTAKE },
  not_supported: {
    means: 'The store behind this server has declared that it cannot do that.',
    fix: 'Use a server whose queue is in PostgreSQL.',
  },
  overloaded: {
    means: 'All callers together have as many bytes of bodies, streams or questions as this process takes at once.',
    fix: TRY_AGAIN,
  },
  query_too_slow: {
    means: 'A statement took longer in the database than it may, and was cancelled.',
    fix: 'Ask for less: a narrower filter, a shorter time, a smaller page.',
  },
  queue_full: { means: 'The queue holds as many jobs as it may.', fix: TRY_AGAIN },
  issuer_unavailable: {
    means: 'The issuer could not be asked: for the keys of a token, or to sign somebody in.',
    fix: TRY_AGAIN,
  },
  database_busy: { means: 'Two writers were in each other’s way, several times in a row.', fix: TRY_AGAIN },
  database_unavailable: { means: 'The database did not answer.', fix: TRY_AGAIN },
  not_migrated: {
    means: 'The database lacks something that this program calls: it is older than the program.',
    fix: 'The owner of the server applies the migrations: npx duework migrate',
  },
  permission_denied: {
    means: 'The role with which this program connects to the database lacks a right.',
    fix: 'The owner of the server gives it the role duework_operator: npx duework roles --grant duework_operator --to <role>',
  },
  database_away: {
    means: 'The database of the shard that is meant does not answer, or no shard does. The others go on.',
    fix: 'Send the request again after the time that Retry-After says. A change may have been made: look before, or send it with an Idempotency-Key.',
  },
  redis_away: {
    means: 'The Redis of the dedicated queue does not answer.',
    fix: 'Send the request again later. What is enqueued in a transaction waits in the database until it answers.',
  },
  redis_may_evict: {
    means: 'The Redis of the dedicated queue throws keys away when its memory is full, and jobs with them.',
    fix: 'Its owner sets maxmemory-policy to noeviction.',
  },
  redis_refused: { means: 'The Redis of the dedicated queue has not taken a command.', fix: OUR_MISTAKE },
  not_ready: {
    means: 'The database does not answer, or lacks a migration. The log of the server has the reason.',
    fix: 'Ask again in a moment; a load balancer sends requests elsewhere meanwhile.',
  },
  stopping: {
    means: 'This process is finishing its last requests before it ends.',
    fix: 'Send the request again: another process answers it.',
  },
};

import type { DueworkErrorCode } from '@duework/queue-core';

/** What a code means to an HTTP client. */
export interface HttpError {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 415 | 422 | 429 | 431 | 500 | 501 | 503;
  readonly title: string;
}

/**
 * Every code a problem can have, queue-core's refusals among them. The table is the documentation: a code and its
 * status are stable, titles and details are for people.
 */
export const HTTP_ERRORS = {
  empty_body: { status: 400, title: 'The body is empty' },
  incomplete_body: { status: 400, title: 'The body ended early' },
  malformed_json: { status: 400, title: 'The body is not JSON' },
  malformed_request: { status: 400, title: 'The request cannot be read' },
  invalid_query: { status: 400, title: 'The query is not valid' },
  malformed_idempotency_key: { status: 400, title: 'The Idempotency-Key is not valid' },
  invalid_cursor: { status: 400, title: 'The cursor is not valid' },
  shard_not_given: { status: 400, title: 'The request does not say its shard' },

  unauthenticated: { status: 401, title: 'The request shows no credentials' },
  invalid_credentials: { status: 401, title: 'The credentials are not valid' },
  expired_credentials: { status: 401, title: 'The credentials have expired' },
  revoked_credentials: { status: 401, title: 'The credentials were revoked' },
  sign_in_refused: { status: 401, title: 'The sign-in was refused' },
  missing_scope: { status: 403, title: 'The credentials do not allow that' },
  limited_to_types: { status: 403, title: 'The credentials are for some types of job alone' },

  not_found: { status: 404, title: 'Not found' },
  job_not_found: { status: 404, title: 'There is no such job' },
  invalid_job_id: { status: 404, title: 'There is no such job' },
  bulk_action_not_found: { status: 404, title: 'There is no such bulk action' },
  schedule_not_found: { status: 404, title: 'There is no such schedule' },
  step_not_found: { status: 404, title: 'The job has no such recorded step' },
  batch_not_found: { status: 404, title: 'There is no such batch' },
  cursor_ahead: { status: 409, title: 'The cursor is ahead of the database' },
  batch_settled: { status: 409, title: 'The batch has settled' },
  alert_not_found: { status: 404, title: 'There is no such alert' },
  flow_rule_not_found: { status: 404, title: 'There is no such flow rule' },
  unknown_shard: { status: 404, title: 'There is no such shard' },
  api_key_not_found: { status: 404, title: 'There is no such API key' },
  method_not_allowed: { status: 405, title: 'The method is not allowed' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  unknown_job_version: { status: 409, title: 'The payload is of a version that this server cannot read' },
  contract_changed: { status: 409, title: 'Another schema is registered for this version' },
  idempotency_key_in_flight: { status: 409, title: 'The first request with this Idempotency-Key is in flight' },
  schedule_of_another_program: { status: 409, title: 'Another program declares the schedule' },
  api_key_name_taken: { status: 409, title: 'The name of the API key is taken' },
  wrong_job_type: { status: 409, title: 'The job is of another type' },
  job_exists: { status: 409, title: 'There is already such a job' },
  job_is_running: { status: 409, title: 'The job runs' },
  job_is_over: { status: 409, title: 'The job is over' },
  job_not_finished: { status: 409, title: 'The job has not finished' },
  job_failed: { status: 409, title: 'The job has no result' },
  bulk_action_over: { status: 409, title: 'The bulk action has ended' },
  undo_not_possible: { status: 409, title: 'The bulk action cannot be undone' },
  transition_not_allowed: { status: 409, title: 'The job is not in a state for that' },

  shards_differ: { status: 409, title: 'The jobs belong in several shards' },
  shard_founded: { status: 409, title: 'The database is another shard' },
  schedule_key_taken: { status: 412, title: 'There is a schedule with this key' },

  body_too_large: { status: 413, title: 'The body is too large' },
  payload_too_large: { status: 413, title: 'The payload is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },

  invalid_filter: { status: 422, title: 'The filter is not valid' },
  filter_too_broad: { status: 422, title: 'The filter fits too much to be counted' },
  span_too_wide: { status: 422, title: 'The time has too much in it to be checked at once' },
  invalid_body: { status: 422, title: 'The body is not valid' },
  unknown_job_type: { status: 422, title: 'There is no such job type' },
  invalid_payload: { status: 422, title: 'The payload is not valid' },
  payload_not_storable: { status: 422, title: 'The payload cannot be stored' },
  text_not_storable: { status: 422, title: 'A text cannot be stored' },
  queue_not_allowed: { status: 422, title: 'The type is not allowed in this queue' },
  invalid_idempotency_key: { status: 422, title: 'The idempotency key is not valid' },
  invalid_flow_value: { status: 422, title: 'The payload has no value to stand in line by' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key belongs to another request' },
  bulk_action_refused: { status: 422, title: 'The bulk action is refused' },
  invalid_option: { status: 422, title: 'An option is not valid' },

  invalid_rule: { status: 422, title: 'The rule of the schedule is not valid' },
  invalid_cron: { status: 422, title: 'The cron rule is not valid' },
  unknown_time_zone: { status: 422, title: 'There is no such time zone' },
  rule_never_fires: { status: 422, title: 'The rule would never fire' },
  invalid_schedule_key: { status: 422, title: 'The key of the schedule is not valid' },
  invalid_template: { status: 422, title: 'A template in the payload is not valid' },

  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers are too large' },

  not_in_transaction: { status: 500, title: 'The job would not have been part of the transaction' },
  unknown_client: { status: 500, title: 'The queue was given a client that it does not know' },
  isolation_too_high: { status: 500, title: 'The transaction of a signal has too high an isolation level' },
  transaction_needed: { status: 500, title: 'The client has no open transaction' },
  invalid_key_ring: { status: 500, title: 'The key ring is not valid' },
  payload_not_readable: { status: 500, title: 'The payload cannot be decrypted' },
  invalid_result: { status: 500, title: 'The result does not fit the contract' },
  wrong_shard: { status: 500, title: 'The transaction is one of another shard' },
  internal_error: { status: 500, title: 'Something went wrong' },
  not_supported: { status: 501, title: 'The store behind this server cannot do that' },
  overloaded: { status: 503, title: 'The server has too much in hand' },
  query_too_slow: { status: 503, title: 'The question takes too long' },
  queue_full: { status: 503, title: 'The queue is full' },
  issuer_unavailable: { status: 503, title: 'The issuer of the token does not answer' },
  database_busy: { status: 503, title: 'The database is busy' },
  database_unavailable: { status: 503, title: 'The database is away' },
  database_away: { status: 503, title: 'The database of a shard is away' },
  redis_away: { status: 503, title: 'The Redis of a dedicated queue is away' },
  redis_may_evict: { status: 500, title: 'The Redis of a dedicated queue may throw jobs away' },
  redis_refused: { status: 500, title: 'Redis has refused a command' },
  key_missing: { status: 503, title: 'The key of the payload is not here' },
  key_ring_missing: { status: 503, title: 'The job requires encryption, and this server has no keys' },
  not_migrated: { status: 503, title: 'The database is older than this program' },
  permission_denied: { status: 503, title: 'The database does not let this program do that' },
  shards_partly_done: { status: 503, title: 'Not every shard has done it' },
  shards_disagree: { status: 503, title: 'SHARDS does not match the databases' },
  not_ready: { status: 503, title: 'Not ready' },
  stopping: { status: 503, title: 'Stopping' },
} as const satisfies Record<DueworkErrorCode, HttpError> & Record<string, HttpError>;

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

/** Generated out of the API's document by `npm run write -- api-types`. Moments are ISO 8601 in UTC. */

/** What the document gives a name. */
export interface Schemas {
  readonly NewJob: {
    readonly type: string;
    readonly payload: unknown;
    /** Not before this moment; now unless given. Not together with delaySeconds. */
    readonly runAt?: string;
    /** Not before so many seconds from now. */
    readonly delaySeconds?: number;
    /** 0 (first) to 9 (last); that of the type unless given. */
    readonly priority?: number;
    /** Cancelled where it has not started so long after it was due; as the type says unless given, null: never. */
    readonly expiresAfterSeconds?: number | null;
    /** One of those that the type allows; its own unless given. */
    readonly queue?: string;
    /** The key of the business event; that of the type unless given, and null for none. Over 255 characters its first 190 and its SHA-256 are kept. */
    readonly idempotencyKey?: string | null;
    /** Attempts before the job is dead; those of the type unless given. */
    readonly maxAttempts?: number;
  };
  readonly Problem: {
    /** Stable, one per code. */
    readonly type: string;
    readonly title: string;
    readonly status: number;
    readonly detail: string;
    readonly code:
      | 'empty_body'
      | 'incomplete_body'
      | 'malformed_json'
      | 'malformed_request'
      | 'invalid_query'
      | 'malformed_idempotency_key'
      | 'invalid_cursor'
      | 'shard_not_given'
      | 'unauthenticated'
      | 'invalid_credentials'
      | 'expired_credentials'
      | 'revoked_credentials'
      | 'sign_in_refused'
      | 'not_asked'
      | 'missing_scope'
      | 'limited_to_types'
      | 'object_missing'
      | 'not_found'
      | 'job_not_found'
      | 'invalid_job_id'
      | 'bulk_action_not_found'
      | 'schedule_not_found'
      | 'step_not_found'
      | 'approval_not_found'
      | 'event_not_found'
      | 'not_subscribed'
      | 'batch_not_found'
      | 'cursor_ahead'
      | 'approval_over'
      | 'wait_not_changeable'
      | 'batch_settled'
      | 'alert_not_found'
      | 'flow_rule_not_found'
      | 'unknown_shard'
      | 'api_key_not_found'
      | 'method_not_allowed'
      | 'request_timeout'
      | 'unknown_job_version'
      | 'contract_changed'
      | 'idempotency_key_in_flight'
      | 'schedule_of_another_program'
      | 'api_key_name_taken'
      | 'wrong_job_type'
      | 'job_exists'
      | 'job_is_running'
      | 'job_is_over'
      | 'job_not_finished'
      | 'job_failed'
      | 'bulk_action_over'
      | 'undo_not_possible'
      | 'still_subscribed'
      | 'transition_not_allowed'
      | 'shards_differ'
      | 'shard_founded'
      | 'schedule_key_taken'
      | 'body_too_large'
      | 'object_not_kept'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'invalid_filter'
      | 'filter_too_broad'
      | 'span_too_wide'
      | 'invalid_body'
      | 'unknown_job_type'
      | 'invalid_payload'
      | 'payload_not_storable'
      | 'text_not_storable'
      | 'queue_not_allowed'
      | 'invalid_idempotency_key'
      | 'invalid_flow_value'
      | 'idempotency_key_reused'
      | 'bulk_action_refused'
      | 'invalid_option'
      | 'invalid_rule'
      | 'invalid_cron'
      | 'unknown_time_zone'
      | 'rule_never_fires'
      | 'invalid_schedule_key'
      | 'invalid_template'
      | 'rate_limited'
      | 'headers_too_large'
      | 'not_in_transaction'
      | 'unknown_client'
      | 'isolation_too_high'
      | 'transaction_needed'
      | 'invalid_key_ring'
      | 'payload_not_readable'
      | 'object_altered'
      | 'store_shared'
      | 'invalid_result'
      | 'wrong_shard'
      | 'internal_error'
      | 'not_supported'
      | 'overloaded'
      | 'query_too_slow'
      | 'queue_full'
      | 'issuer_unavailable'
      | 'database_busy'
      | 'database_unavailable'
      | 'database_away'
      | 'redis_away'
      | 'redis_may_evict'
      | 'redis_refused'
      | 'offload_missing'
      | 'store_unavailable'
      | 'key_missing'
      | 'key_ring_missing'
      | 'not_migrated'
      | 'permission_denied'
      | 'shards_partly_done'
      | 'shards_disagree'
      | 'not_ready'
      | 'stopping';
    readonly errors: readonly {
      /** A JSON pointer into the body of the request. */
      readonly pointer?: string;
      /** The name of a query parameter. */
      readonly parameter?: string;
      /** In a batch: what is wrong with this entry. */
      readonly code?:
        | 'empty_body'
        | 'incomplete_body'
        | 'malformed_json'
        | 'malformed_request'
        | 'invalid_query'
        | 'malformed_idempotency_key'
        | 'invalid_cursor'
        | 'shard_not_given'
        | 'unauthenticated'
        | 'invalid_credentials'
        | 'expired_credentials'
        | 'revoked_credentials'
        | 'sign_in_refused'
        | 'not_asked'
        | 'missing_scope'
        | 'limited_to_types'
        | 'object_missing'
        | 'not_found'
        | 'job_not_found'
        | 'invalid_job_id'
        | 'bulk_action_not_found'
        | 'schedule_not_found'
        | 'step_not_found'
        | 'approval_not_found'
        | 'event_not_found'
        | 'not_subscribed'
        | 'batch_not_found'
        | 'cursor_ahead'
        | 'approval_over'
        | 'wait_not_changeable'
        | 'batch_settled'
        | 'alert_not_found'
        | 'flow_rule_not_found'
        | 'unknown_shard'
        | 'api_key_not_found'
        | 'method_not_allowed'
        | 'request_timeout'
        | 'unknown_job_version'
        | 'contract_changed'
        | 'idempotency_key_in_flight'
        | 'schedule_of_another_program'
        | 'api_key_name_taken'
        | 'wrong_job_type'
        | 'job_exists'
        | 'job_is_running'
        | 'job_is_over'
        | 'job_not_finished'
        | 'job_failed'
        | 'bulk_action_over'
        | 'undo_not_possible'
        | 'still_subscribed'
        | 'transition_not_allowed'
        | 'shards_differ'
        | 'shard_founded'
        | 'schedule_key_taken'
        | 'body_too_large'
        | 'object_not_kept'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'invalid_filter'
        | 'filter_too_broad'
        | 'span_too_wide'
        | 'invalid_body'
        | 'unknown_job_type'
        | 'invalid_payload'
        | 'payload_not_storable'
        | 'text_not_storable'
        | 'queue_not_allowed'
        | 'invalid_idempotency_key'
        | 'invalid_flow_value'
        | 'idempotency_key_reused'
        | 'bulk_action_refused'
        | 'invalid_option'
        | 'invalid_rule'
        | 'invalid_cron'
        | 'unknown_time_zone'
        | 'rule_never_fires'
        | 'invalid_schedule_key'
        | 'invalid_template'
        | 'rate_limited'
        | 'headers_too_large'
        | 'not_in_transaction'
        | 'unknown_client'
        | 'isolation_too_high'
        | 'transaction_needed'
        | 'invalid_key_ring'
        | 'payload_not_readable'
        | 'object_altered'
        | 'store_shared'
        | 'invalid_result'
        | 'wrong_shard'
        | 'internal_error'
        | 'not_supported'
        | 'overloaded'
        | 'query_too_slow'
        | 'queue_full'
        | 'issuer_unavailable'
        | 'database_busy'
        | 'database_unavailable'
        | 'database_away'
        | 'redis_away'
        | 'redis_may_evict'
        | 'redis_refused'
        | 'offload_missing'
        | 'store_unavailable'
        | 'key_missing'
        | 'key_ring_missing'
        | 'not_migrated'
        | 'permission_denied'
        | 'shards_partly_done'
        | 'shards_disagree'
        | 'not_ready'
        | 'stopping';
      /** Of a filter: a stable code. */
      readonly reason?: string;
      /** Of a filter: the first character that this is about, counted from 0. */
      readonly from?: number;
      /** Of a filter: the character behind the last one that this is about. */
      readonly to?: number;
      /** Of a filter: what to write instead. */
      readonly hint?: string | null;
      readonly message: string;
    }[];
    readonly requestId: string;
  };
  readonly Principal: {
    /** As the audit names it. */
    readonly name: string;
    /** `local`: a request of this machine, in development. */
    readonly kind: 'key' | 'person' | 'local';
    readonly scopes: readonly (
      | 'enqueue'
      | 'signal'
      | 'approve'
      | 'read'
      | 'payloads'
      | 'sensitive'
      | 'operate'
      | 'schedules'
      | 'admin'
    )[];
    /** The types of job that it may enqueue and see; null: all of them. */
    readonly types: readonly string[] | null;
    /** What the caller may not do, for lack of a scope or because of its types. */
    readonly refuses: readonly Schemas['Refusal'][];
    readonly queue: Schemas['QueueBehind'];
  };
  readonly Refusal: {
    /** Its `operationId` in this document. */
    readonly operation: string;
    /** In a sentence. */
    readonly why: string;
  };
  /** What this API is of. */
  readonly QueueBehind: {
    /** What keeps the jobs: `PostgreSQL`; null: it does not say. */
    readonly kind: string | null;
    /** What its store can do beyond the minimum, and what it cannot. */
    readonly capabilities: { readonly [name: string]: boolean };
    /** Whether a request may be sent again with an `Idempotency-Key`. */
    readonly keepsAnswers: boolean;
    /** By one value of each of these fields jobs are listed, and by nothing else; null: by any filter. */
    readonly filters: readonly string[] | null;
    /** What answers `not_supported` here, whoever asks; empty: nothing does. */
    readonly refuses: readonly Schemas['Refusal'][];
  };
  readonly ConsoleLink: {
    readonly words: string;
    /** With names in braces. */
    readonly href: string;
    readonly where: 'job' | 'attempt' | 'worker';
  };
  readonly SignInWays: {
    /** Where people sign in; null: with an API key alone. */
    readonly issuer: string | null;
  };
  readonly BegunSignIn: {
    /** Where the browser goes. */
    readonly address: string;
    readonly state: string;
    readonly nonce: string;
    /** Of PKCE. All three are for the tab alone, which shows them when it comes back. */
    readonly verifier: string;
  };
  readonly NewSignIn: {
    /** An address of the page that asks, which the issuer knows. */
    readonly redirectUri: string;
  };
  readonly SignedIn: {
    /** For `Authorization: Bearer …`, until it expires. */
    readonly token: string;
    /** For the next one, at `POST /v1/sign-in/refresh`; null: the issuer gives none. */
    readonly refreshToken: string | null;
    /** For `POST /v1/sign-in/end`; null: the issuer has given none with a refreshed token. */
    readonly idToken: string | null;
  };
  readonly ReturnedSignIn: {
    /** What the issuer has put behind the address: `code=…&state=…`. */
    readonly parameters: string;
    /** An address of the page that asks, which the issuer knows. */
    readonly redirectUri: string;
    readonly state: string;
    readonly nonce: string;
    readonly verifier: string;
  };
  readonly ExpiredSignIn: {
    readonly refreshToken: string;
  };
  readonly SignOut: {
    /** Where the browser goes to sign out there; null: the issuer has no such address. */
    readonly address: string | null;
  };
  readonly EndedSignIn: {
    /** An address of the page that asks, which the issuer knows. */
    readonly redirectUri: string;
    readonly idToken: string | null;
    readonly refreshToken: string | null;
  };
  readonly EnqueuedJob: {
    readonly id: string;
    readonly type: string;
    /** `failed` will be retried by itself; `dead` is given up. */
    readonly status: 'queued' | 'running' | 'failed' | 'succeeded' | 'dead' | 'cancelled';
    readonly runAt: string;
    /** It was there before, under the same key. */
    readonly deduplicated: boolean;
    /** That job has another payload, which stays: the one of this request was not stored. Only with the scope payloads. */
    readonly payloadDiffers?: boolean;
  };
  readonly JobPage: {
    readonly jobs: readonly Schemas['Job'][];
    /** null: this was the last page. A page with few jobs, or none, need not be the last. */
    readonly nextCursor: string | null;
    /** Leads back; null: this is the first page. */
    readonly previousCursor: string | null;
    /** false: the search stopped at its limit before the page was full; nextCursor goes on from there. */
    readonly complete: boolean;
    /** Where the page is not complete: which term would help. */
    readonly hint: string | null;
  };
  readonly Job: {
    readonly id: string;
    readonly type: string;
    readonly version: number;
    readonly queue: string;
    /** `failed` will be retried by itself; `dead` is given up. */
    readonly status: 'queued' | 'running' | 'failed' | 'succeeded' | 'dead' | 'cancelled';
    readonly priority: number;
    readonly runAt: string;
    /** Shown with the scope `payloads`, as are `progress` and `result`. */
    readonly payload?: unknown;
    readonly idempotencyKey: string | null;
    /** Attempts that were charged. */
    readonly attempts: number;
    readonly maxAttempts: number;
    /** Increases with every claim. */
    readonly fence: number;
    readonly worker: string | null;
    readonly lockedUntil: string | null;
    readonly claimedAt: string | null;
    readonly failedAt: string | null;
    readonly errorCode: string | null;
    readonly errorType: string | null;
    /** Shown with the scope `payloads`, because errors quote values; otherwise null. */
    readonly lastError: string | null;
    readonly cancelRequestedAt: string | null;
    readonly cancelRequestedBy: string | null;
    readonly cancelReason: string | null;
    /** How far the handler says it is. */
    readonly progress?: unknown;
    readonly result?: unknown;
    readonly createdAt: string;
    readonly finishedAt: string | null;
    /** How often its handler asked for later. */
    readonly snoozes: number;
    readonly snoozedAt: string | null;
    /** When it is cancelled unless it has started. */
    readonly expiresAt: string | null;
    /** No retry of it begins later. */
    readonly retryUntil: string | null;
    /** How often a worker that stopped gave it back while its handler ran. */
    readonly releases: number;
    /** When somebody acknowledged it; it stays dead. */
    readonly acknowledgedAt: string | null;
    /** What was enqueued beside the payload: a traceparent. */
    readonly meta: { readonly [name: string]: string } | null;
    /** The key of the gate at which it waits, or of a pause that holds it back there; null: at none. Without the scope `payloads` it is without the value that it is by. */
    readonly heldBy: string | null;
    /** Its handler waits: for a time, a signal or a job. */
    readonly isSuspended: boolean;
    /** The batch that it belongs to. */
    readonly batch: string | null;
    /** The keys at which there has to be room before it starts. Shown with the scope `payloads`. */
    readonly gates?: readonly Schemas['JobGate'][];
  };
  readonly JobGate: {
    readonly key: string;
    /** How much it takes. */
    readonly units: number;
  };
  readonly EnqueuedJobs: {
    readonly jobs: readonly Schemas['EnqueuedJob'][];
  };
  readonly JobCount: {
    /** At most 10,000. */
    readonly count: number;
    /** There are more, or (of running jobs beside a long backlog) may be. */
    readonly atLeast: boolean;
    /** As people write it. */
    readonly text: string;
  };
  readonly EndedJobs: {
    readonly jobs: readonly Schemas['Job'][];
    /** Leads to what ends after this page. */
    readonly cursor: string;
    /** false: more has ended; ask at once. */
    readonly caughtUp: boolean;
  };
  readonly JobDetail: Schemas['Job'] & {
    readonly attemptHistory: readonly Schemas['JobAttempt'][];
  };
  readonly JobAttempt: {
    readonly attempt: number;
    readonly fence: number;
    readonly outcome: 'failed' | 'lost' | 'interrupted' | 'cancelled' | 'succeeded';
    readonly worker: string;
    readonly claimedAt: string;
    readonly finishedAt: string;
    readonly errorCode: string | null;
    readonly errorType: string | null;
    /** Shown with the scope `payloads`, as is `errorStack`; otherwise null. */
    readonly errorMessage: string | null;
    readonly errorStack: string | null;
    /** What its handler logged last, where its worker or its contract keeps that. Shown with the scope `payloads`. */
    readonly logs: string | null;
    /** Why the handler was told to stop. */
    readonly abortCode: 'timeout' | 'cancelled' | 'shutting_down' | null;
    /** How far that had to go. */
    readonly abortStage: 'signalled' | 'killed' | 'lease_revoked' | null;
  };
  readonly UpdateJob: {
    /** Another payload, as a whole; the contract of its type checks it. Needs the scope `payloads`, or `sensitive` where the contract calls a field sensitive. */
    readonly payload?: unknown;
    /** Due at this moment. Not together with delaySeconds. */
    readonly runAt?: string;
    /** Due so many seconds from now. */
    readonly delaySeconds?: number;
    /** 0 (first) to 9 (last). */
    readonly priority?: number;
    /** Attempts before the job is dead; more than it has spent. */
    readonly maxAttempts?: number;
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly JobState: {
    readonly id: string;
    readonly type: string;
    readonly queue: string;
    readonly status: 'queued' | 'running' | 'failed' | 'succeeded' | 'dead' | 'cancelled';
    readonly attempts: number;
    readonly maxAttempts: number;
    readonly runAt: string;
    readonly claimedAt: string | null;
    readonly finishedAt: string | null;
    /** Only with the scope payloads. */
    readonly progress?: unknown;
    readonly errorCode: string | null;
    readonly cancelRequestedAt: string | null;
    /** The key of the gate at which it waits; null: at none. */
    readonly heldBy: string | null;
    /** Another one after each change. */
    readonly revision: string;
  };
  readonly PageEvent: {
    /** The jobs of the page, in their order. */
    readonly ids: readonly string[];
    /** Of an event `page` all of them, of an event `change` those that are new on the page or have changed. */
    readonly jobs: readonly Schemas['ListedJob'][];
    /** Where `GET /v1/jobs` goes on behind the page; null: nothing is behind. */
    readonly nextCursor: string | null;
    /** false: the search stopped at its limit; `hint` says which term would help. */
    readonly complete: boolean;
    readonly hint: string | null;
  };
  readonly ListedJob: {
    readonly id: string;
    readonly type: string;
    readonly version: number;
    readonly queue: string;
    /** `failed` will be retried by itself; `dead` is given up. */
    readonly status: 'queued' | 'running' | 'failed' | 'succeeded' | 'dead' | 'cancelled';
    readonly priority: number;
    readonly runAt: string;
    readonly idempotencyKey: string | null;
    /** Attempts that were charged. */
    readonly attempts: number;
    readonly maxAttempts: number;
    /** Increases with every claim. */
    readonly fence: number;
    readonly worker: string | null;
    readonly claimedAt: string | null;
    readonly failedAt: string | null;
    readonly errorCode: string | null;
    readonly errorType: string | null;
    /** Shown with the scope `payloads`, because errors quote values; otherwise null. */
    readonly lastError: string | null;
    readonly cancelRequestedAt: string | null;
    readonly cancelRequestedBy: string | null;
    readonly cancelReason: string | null;
    /** How far the handler says it is. */
    readonly progress?: unknown;
    readonly createdAt: string;
    readonly finishedAt: string | null;
    /** How often its handler asked for later. */
    readonly snoozes: number;
    readonly snoozedAt: string | null;
    /** When it is cancelled unless it has started. */
    readonly expiresAt: string | null;
    /** No retry of it begins later. */
    readonly retryUntil: string | null;
    /** How often a worker that stopped gave it back while its handler ran. */
    readonly releases: number;
    /** When somebody acknowledged it; it stays dead. */
    readonly acknowledgedAt: string | null;
    /** The key of the gate at which it waits, or of a pause that holds it back there; null: at none. Without the scope `payloads` it is without the value that it is by. */
    readonly heldBy: string | null;
    /** Its handler waits: for a time, a signal or a job. */
    readonly isSuspended: boolean;
    /** The batch that it belongs to. */
    readonly batch: string | null;
  };
  readonly SignalContract: {
    readonly name: string;
    /** The fields of its payload by which a job waits for it. */
    readonly by: readonly string[];
    /** JSON Schema of the payload; null: its validator writes none. */
    readonly payloadSchema: { readonly [name: string]: unknown } | null;
  };
  readonly SentSignal: {
    /** A job waited for it; else it is kept for the first that will. */
    readonly isAwaited: boolean;
  };
  readonly Events: {
    readonly events: readonly {
      readonly event: string;
      readonly version: number;
      /** How long it is kept for a replay; null: not at all. */
      readonly keepMs: number | null;
      /** When the oldest that is kept was published. */
      readonly oldestKeptAt: string | null;
      readonly subscribers: readonly {
        readonly type: string;
        readonly queue: string;
        readonly version: number;
        /** false: no event makes a job of it any more. */
        readonly isSubscribed: boolean;
        readonly delayMs: number;
        /** The live workers that run it. */
        readonly workers: readonly string[];
      }[];
    }[];
  };
  readonly PublishedEvent: {
    /** null: nothing is kept of it. */
    readonly id: string | null;
    /** It was published before, with the same key: these are its jobs. */
    readonly deduplicated: boolean;
    /** One for each type that subscribes. */
    readonly jobs: readonly {
      readonly type: string;
      readonly id: string;
    }[];
  };
  readonly NewEvent: {
    readonly payload: { readonly [name: string]: unknown };
    /** Published again with it, the event is the first one. */
    readonly idempotencyKey?: string;
    /** Texts to keep beside the payload of each job. */
    readonly meta?: { readonly [name: string]: string };
  };
  readonly Replay: {
    readonly replayed: number;
    /** Call again from here: there are more. null: it is done. */
    readonly nextFrom: string | null;
  };
  readonly ReplayRequest: {
    /** The type that gets them. */
    readonly to: string;
    /** Published at this moment or later. */
    readonly from: string;
    /** Published before this moment; default: now. */
    readonly until?: string;
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly ReplayPreview: {
    readonly events: number;
    /** There are more: only the first were counted. */
    readonly isAtLeast: boolean;
  };
  readonly Unsubscribed: {
    readonly event: string;
    readonly type: string;
  };
  readonly UnsubscribeRequest: {
    /** The type that subscribes. */
    readonly type: string;
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly Approval: {
    /** The name of its wait. */
    readonly name: string;
    readonly title: string;
    readonly details: { readonly [name: string]: string | number | boolean };
    readonly choices: readonly string[];
    /** Who is asked; null: whoever has a link or the scope. */
    readonly by: readonly string[] | null;
    /** `over`: nobody has decided in time, an operator has ended the wait, or the job has ended. `not_yet`: its job is about to wait. */
    readonly state: 'waiting' | 'decided' | 'over' | 'not_yet';
    /** When it ends by itself; null: never. */
    readonly until: string | null;
    readonly decision: {
      readonly choice: string;
      readonly by: string;
      readonly at: string;
      readonly comment: string | null;
    } | null;
  };
  readonly Decision: {
    /** The name of its wait. */
    readonly name?: string;
    readonly choice: string;
    /** The comment, for the handler and for the audit. */
    readonly reason?: string;
  };
  readonly ChangeWait: {
    /** The name of the wait, as GET /v1/jobs/{id}/steps has it. */
    readonly name: string;
    /** `skip`: as if its time were over. `fail`: the handler gets a StepFailedError with the reason. `extend`: until `until`. */
    readonly verb: 'skip' | 'fail' | 'extend';
    /** Of `extend`: a later deadline. */
    readonly until?: string;
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly BegunBatch: {
    readonly id: string;
    readonly jobs: readonly Schemas['EnqueuedJob'][];
  };
  readonly BatchPage: {
    readonly batches: readonly Schemas['Batch'][];
    /** null: this was the last page. */
    readonly nextCursor: string | null;
  };
  readonly Batch: {
    readonly id: string;
    readonly name: string | null;
    /** All jobs of it. */
    readonly jobs: number;
    readonly succeeded: number;
    readonly dead: number;
    readonly cancelled: number;
    /** Those that have not ended. */
    readonly open: number;
    readonly createdAt: string;
    /** When the last job had ended; nothing can be added since. */
    readonly settledAt: string | null;
    readonly callbacks: {
      /** The id of the job that was enqueued; null: none was, or not yet. */
      readonly onSettled: string | null;
      /** The id of the job that was enqueued; null: none was, or not yet. */
      readonly onSucceeded: string | null;
      /** The id of the job that was enqueued; null: none was, or not yet. */
      readonly onFirstDead: string | null;
    };
    /** The callbacks that it was given. */
    readonly planned: readonly ('onSettled' | 'onSucceeded' | 'onFirstDead')[];
  };
  readonly CancelledBatch: {
    /** How many jobs waited, and are cancelled. */
    readonly cancelled: number;
    /** How many run, and whose worker was asked to stop. */
    readonly requested: number;
    readonly batch: Schemas['Batch'];
  };
  readonly Reason: {
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly RetryJob: {
    /** Of a job that is dead with `effect_unknown`: somebody has looked, and it happened. Otherwise it is done again, under the same key. */
    readonly effectsHappened?: boolean;
    /** Of a durable handler: this step is taken again, and what was done after it. */
    readonly fromStep?: string;
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly FreedKey: {
    /** false: it has no key, or another job has it. */
    readonly freed: boolean;
  };
  readonly Contract: {
    readonly type: string;
    /** null: it was pushed, and no worker has run it yet. */
    readonly defaults: {
      /** The newest version that a worker has run. */
      readonly version: number;
      readonly queue: string;
      readonly priority: number;
      readonly maxAttempts: number;
      readonly timeoutMs: number;
      readonly leaseMs: number;
      readonly retry: { readonly [name: string]: unknown };
      /** Of a job that is enqueued without one; null: it needs one. */
      readonly payload?: unknown;
    } | null;
    /** The oldest first. */
    readonly versions: readonly Schemas['ContractVersion'][];
  };
  readonly ContractVersion: {
    readonly version: number;
    /** When a worker or a deploy first registered it; null: this queue keeps no registry. */
    readonly firstSeenAt: string | null;
    /** JSON Schema of the payload that a producer may send. */
    readonly payloadSchema: { readonly [name: string]: unknown };
    /** The workers that live and read this version, by name; null: this queue does not know them. */
    readonly workers: readonly string[] | null;
  };
  readonly PayloadParses: {
    /** How many live jobs of any type were looked at. */
    readonly looked: number;
    /** false: only the oldest and the newest were looked at, or only some were parsed. */
    readonly isComplete: boolean;
    /** The oldest first. */
    readonly versions: readonly Schemas['SampledVersion'][];
  };
  readonly SampledVersion: {
    readonly version: number;
    /** `read`: this server has its code; otherwise nothing was parsed. */
    readonly state: 'read' | 'unknown_type' | 'newer_version' | 'older_version';
    readonly checked: number;
    readonly fits: number;
    /** Encrypted with a key that this server lacks. */
    readonly sealed: number;
    readonly faulty: number;
    /** The most frequent first, at most 20; a job may have several. */
    readonly faults: readonly Schemas['PayloadFault'][];
  };
  readonly PayloadFault: {
    /** Refused by a schema; by a step from its version to the next; by a rule that threw; not decryptable. */
    readonly code: 'invalid_payload' | 'lift_threw' | 'rule_threw' | 'payload_not_readable';
    /** Where, with * for indices and keys that no schema declares; empty: the payload itself. */
    readonly path: string;
    readonly jobs: number;
    /** One of them. */
    readonly jobId: string;
  };
  readonly SchedulePage: {
    readonly schedules: readonly Schemas['ListedSchedule'][];
    /** null: this was the last page. */
    readonly nextCursor: string | null;
  };
  readonly ListedSchedule: Schemas['Schedule'] & {
    /** The newest first, as many as were asked for. */
    readonly dueTimes?: readonly Schemas['DueTime'][];
  };
  readonly DueTime: {
    readonly scheduleKey: string;
    readonly type: string;
    readonly dueAt: string;
    readonly outcome: 'fired' | 'skipped' | 'waiting';
    /** Why it was skipped; `triggered`: a person let it run, as a due time of its own or as one that was skipped. */
    readonly reason: string | null;
    readonly runId: string | null;
    /** What became of the run; null: there is none, or its history is gone. */
    readonly runStatus: string | null;
    readonly firesAt: string;
    readonly decidedAt: string;
    /** From due to decided. */
    readonly lateMs: number;
    /** The pause that it was missed for; null: none, or the audit of it is gone. */
    readonly pause: {
      readonly since: string;
      readonly by: string | null;
      readonly reason: string | null;
    } | null;
  };
  readonly Schedule: {
    readonly key: string;
    readonly type: string;
    /** Of the contract that the payload was saved for. */
    readonly version: number;
    /** With {"$due": …} where the due time fills it in. */
    readonly payload?: unknown;
    readonly cron: string | null;
    readonly everyMs: number | null;
    readonly at: string | null;
    readonly timeZone: string;
    readonly startsAt: string | null;
    readonly endsAt: string | null;
    /** The rule in plain words. */
    readonly words: string;
    /** Its policies in plain words. */
    readonly policy: string;
    readonly missed: {
      readonly policy: 'skip' | 'latest' | 'all';
      readonly toleranceMs: number;
      readonly limit: number;
      readonly maxAgeMs: number;
    };
    readonly overlap: {
      readonly policy: 'allow' | 'skip' | 'queue' | 'cancel-running';
      readonly limit: number;
    };
    readonly splayMs: number;
    readonly isPaused: boolean;
    /** Since when, until when (null: until somebody resumes it), by whom and why; null: it is not paused. */
    readonly pause: {
      readonly since: string;
      readonly until: string | null;
      readonly by: string | null;
      readonly reason: string | null;
    } | null;
    /** `code`: declared by a program, and written anew at its deploy. */
    readonly source: 'code' | 'api';
    /** The program whose code declares it; null: no program does. */
    readonly sourceProgram: string | null;
    readonly sourceVersion: number | null;
    /** null: there will be none. */
    readonly nextDueAt: string | null;
    /** With its splay. */
    readonly nextFiresAt: string | null;
    readonly lastRunId: string | null;
    readonly createdAt: string;
    readonly updatedAt: string;
  };
  readonly NewSchedule: {
    readonly type: string;
    /** {"$due": "date", "addDays": -1} and {"$due": "iso"} are filled in from the due time. That of the type unless given. */
    readonly payload?: unknown;
    /** Five fields, six with seconds before them, or @hourly, @daily, @weekly, @monthly, @yearly. */
    readonly cron?: string;
    /** An interval of at least 1s. */
    readonly every?: string;
    /** Once, at this moment. */
    readonly at?: string;
    /** An IANA zone; UTC unless given. */
    readonly timeZone?: string;
    /** No due time before it. */
    readonly startsAt?: string;
    /** No due time at or after it. */
    readonly endsAt?: string;
    /** What becomes of due times that nobody ticked in time; latest unless given. */
    readonly missed?:
      | 'skip'
      | 'latest'
      | 'all'
      | {
          readonly policy: 'skip' | 'latest' | 'all';
          readonly tolerance?: string;
          readonly limit?: number;
          readonly maxAge?: string;
        };
    /** What becomes of a due time while a run of the schedule is live; skip unless given. */
    readonly overlap?:
      | 'allow'
      | 'skip'
      | 'queue'
      | 'cancel-running'
      | {
          readonly policy: 'allow' | 'skip' | 'queue' | 'cancel-running';
          readonly limit?: number;
        };
    /** Spreads schedules of one moment over this long. */
    readonly splay?: string;
  };
  readonly PauseRequest: {
    /** Why, for the audit. */
    readonly reason?: string;
    /** When it goes on by itself; left out: when somebody resumes it. */
    readonly until?: string;
  };
  readonly ResumedSchedule: Schemas['Schedule'] & {
    /** What becomes of the due times that came while it was paused. */
    readonly meanwhile: {
      /** How many are skipped, by its policy. */
      readonly skipCount: number;
      /** The newest 10 of them, the newest first. */
      readonly skips: readonly string[];
      /** How many run now, or as soon as a run before them has ended. */
      readonly fireCount: number;
      /** The first that is still to come. */
      readonly nextDueAt: string | null;
    };
  };
  readonly TriggerRequest: {
    /** Why, for the audit. */
    readonly reason?: string;
    /** A due time that was skipped, which is run with its payload and key; left out: it runs as of now. */
    readonly dueTime?: string;
  };
  readonly SchedulePreview: {
    readonly words: string;
    readonly timeZone: string;
    readonly dueTimes: readonly {
      readonly dueAt: string;
      readonly local: string;
      readonly firesAt: string;
      /** What a change of the clock does to it. */
      readonly dst: 'moved' | 'runs_once' | 'repeated' | null;
    }[];
    /** The policies in plain words. */
    readonly policy: string;
  };
  readonly RulePreview: {
    readonly words: string;
    readonly timeZone: string;
    readonly dueTimes: readonly {
      readonly dueAt: string;
      readonly local: string;
      readonly firesAt: string;
      /** What a change of the clock does to it. */
      readonly dst: 'moved' | 'runs_once' | 'repeated' | null;
    }[];
  };
  readonly NewPreview: {
    /** Five fields, six with seconds before them, or @hourly, @daily, @weekly, @monthly, @yearly. */
    readonly cron?: string;
    /** An interval of at least 1s. */
    readonly every?: string;
    /** Once, at this moment. */
    readonly at?: string;
    /** An IANA zone; UTC unless given. */
    readonly timeZone?: string;
    /** No due time before it. */
    readonly startsAt?: string;
    /** No due time at or after it. */
    readonly endsAt?: string;
    readonly count?: number;
    /** Now unless given. */
    readonly after?: string;
  };
  readonly DueTimePage: {
    readonly dueTimes: readonly Schemas['DueTime'][];
    /** null: this was the last page. */
    readonly nextCursor: string | null;
  };
  readonly Woken: {
    /** Due times that are runs now. */
    readonly fired: number;
    readonly skipped: number;
    /** Due times that wait for a run to end. */
    readonly waiting: number;
    /** Until a schedule is due again; null: never, as things are. */
    readonly nextTickInMs: number | null;
  };
  readonly DoctorReport: {
    /** The worst first; empty: nothing is wrong. */
    readonly findings: readonly Schemas['Finding'][];
    /** What was looked at. */
    readonly checks: readonly string[];
    /** Whether what is committed is on another server, too; of each database. */
    readonly replication: readonly Schemas['Replication'][];
    /** How large the queue is and becomes; of each database. */
    readonly sizes: readonly Schemas['DatabaseSize'][];
  };
  readonly Finding: {
    readonly code:
      | 'server_version_unsupported'
      | 'server_version_ended'
      | 'server_read_only'
      | 'durability_off'
      | 'commits_not_durable'
      | 'not_replicated'
      | 'commits_not_replicated'
      | 'standbys_missing'
      | 'autovacuum_off'
      | 'isolation_changed'
      | 'statement_timeout_short'
      | 'zone_not_utc'
      | 'database_copied'
      | 'not_migrated'
      | 'migration_changed'
      | 'migrated_by_newer'
      | 'schema_missing'
      | 'schema_changed'
      | 'schema_added'
      | 'row_security_on'
      | 'partition_missing'
      | 'default_partition_used'
      | 'locks_low'
      | 'index_invalid'
      | 'index_unused'
      | 'index_added'
      | 'index_bloated'
      | 'dead_rows'
      | 'snapshot_pinned'
      | 'disk_fills_up'
      | 'notifications_stuck'
      | 'connections_low'
      | 'type_without_worker'
      | 'key_expiring'
      | 'key_expired'
      | 'program_declared_twice'
      | 'check_not_allowed';
    readonly severity: 'error' | 'warning';
    /** What it is found of. */
    readonly about: string;
    readonly sentence: string;
    readonly fix: string;
  };
  readonly Replication: {
    /** `synchronous_standby_names`; empty: no commit waits for another server. */
    readonly waitsFor: string;
    /** `synchronous_commit` of the session. */
    readonly commits: string;
    /** Those that are connected; null: the role may not see them. */
    readonly standbys: readonly Schemas['Standby'][] | null;
  };
  readonly Standby: {
    readonly name: string;
    readonly state: string;
    /** A commit may wait for it. */
    readonly isCounted: boolean;
  };
  readonly DatabaseSize: {
    readonly bytes: number;
    /** The largest first. */
    readonly tables: readonly Schemas['TableSize'][];
    /** How many days of the history are over. */
    readonly days: number;
    /** Bytes that a day adds, of the last seven; null: no day is over yet. */
    readonly growthPerDay: number | null;
    /** RETENTION_DAYS, as the workers last said; null: none has yet. */
    readonly keepDays: number | null;
    /** Bytes, once the history is as long as it is kept; null: not known yet. */
    readonly needed: number | null;
    /** Bytes of all databases of the server, as far as the role may see. */
    readonly used: number;
    /** Bytes of the disk, as DISK_GB of the workers says; null: nobody has said. */
    readonly disk: number | null;
    /** Until the disk is full; null: not known, or never at this growth. */
    readonly daysLeft: number | null;
  };
  readonly TableSize: {
    /** Without its day: all days of the history are one. */
    readonly name: string;
    /** With indexes. */
    readonly bytes: number;
    /** How many daily partitions it has; 0: it has none. */
    readonly days: number;
  };
  readonly Explanation: {
    /** Stable; docs/understand/explain.md has them. */
    readonly code:
      | 'not_due'
      | 'snoozed'
      | 'suspended'
      | 'waiting_for_retry'
      | 'paused'
      | 'no_worker'
      | 'behind'
      | 'held_by_limit'
      | 'held_by_rate'
      | 'held_by_order'
      | 'held_by_tenant'
      | 'held_by_breaker'
      | 'gate_closed'
      | 'leased'
      | 'lease_expired'
      | 'released'
      | 'expires'
      | 'cancelling'
      | 'dead'
      | 'succeeded'
      | 'cancelled';
    /** The facts of this code. */
    readonly facts: { readonly [name: string]: unknown };
    /** For people. */
    readonly sentence: string;
    readonly id: string;
    readonly status: string;
    /** What else would keep it from running when the first reason is gone. */
    readonly further: readonly {
      /** Stable; docs/understand/explain.md has them. */
      readonly code:
        | 'not_due'
        | 'snoozed'
        | 'suspended'
        | 'waiting_for_retry'
        | 'paused'
        | 'no_worker'
        | 'behind'
        | 'held_by_limit'
        | 'held_by_rate'
        | 'held_by_order'
        | 'held_by_tenant'
        | 'held_by_breaker'
        | 'gate_closed'
        | 'leased'
        | 'lease_expired'
        | 'released'
        | 'expires'
        | 'cancelling'
        | 'dead'
        | 'succeeded'
        | 'cancelled';
      /** The facts of this code. */
      readonly facts: { readonly [name: string]: unknown };
      /** For people. */
      readonly sentence: string;
    }[];
  };
  readonly EffectList: {
    readonly effects: readonly Schemas['Effect'][];
  };
  readonly Effect: {
    readonly name: string;
    /** Of the business event. */
    readonly key: string;
    /** `started`: an attempt does it, or was cut off; `unknown`: it may have happened, and a person has to look; `approved`: somebody has looked, and it may be done again; `undone`: it certainly did not happen. */
    readonly status: 'started' | 'done' | 'unknown' | 'approved' | 'undone';
    /** The job that did it, or tried to last. */
    readonly jobId: string;
    readonly startedAt: string;
    readonly doneAt: string | null;
  };
  readonly StepPage: {
    readonly steps: readonly Schemas['JobStep'][];
    /** null: this was the last page. */
    readonly nextCursor: string | null;
    /** The job that has enqueued this one and waited for it. */
    readonly parent: string | null;
    /** The jobs of a workflow; empty: it is none. */
    readonly graph: readonly Schemas['GraphJob'][];
  };
  readonly JobStep: {
    readonly name: string;
    /** `failed` is a child that is dead or cancelled, too. */
    readonly status: 'waiting' | 'done' | 'failed';
    /** `work`: the handler does something. The others are waits; a `child` is a job that it has enqueued itself. */
    readonly kind: 'work' | 'time' | 'signal' | 'job' | 'child';
    /** The name of the signal, or the id of the job; null: of neither, or it is not shown. */
    readonly of: string | null;
    /** That of the signal, as JSON. Shown with the scope `payloads`. */
    readonly key: string | null;
    /** When a wait that goes on has begun. */
    readonly since: string | null;
    /** When the wait ends by itself; null: never. */
    readonly until: string | null;
    /** What it waits for, or how it has ended; for people. */
    readonly sentence: string;
    /** What it has returned, or the payload of the signal; not that of a job, which has it itself. Shown with the scope `payloads`. */
    readonly result?: unknown;
    /** There is a result, and it is left out, because it is longer than 16 KiB. */
    readonly isLong: boolean;
    /** How the job has ended for which it waited. */
    readonly end: 'succeeded' | 'dead' | 'cancelled' | null;
    readonly error: {
      readonly code: string;
      /** Shown with the scope `payloads`; otherwise null. */
      readonly message: string | null;
    } | null;
    /** When the attempt that has ended it asked for it; of a wait, when the job began to wait. */
    readonly beganAt: string;
    readonly doneAt: string | null;
    /** Of the claim that has written it last. */
    readonly fence: number;
  };
  readonly GraphJob: {
    readonly name: string;
    /** The jobs before it. */
    readonly after: readonly string[];
    /** It is a job for each element of a list. */
    readonly isEach: boolean;
    /** So many have been enqueued; 0: it has not begun, or was skipped. */
    readonly total: number;
    readonly succeeded: number;
    /** So many are dead or cancelled. */
    readonly failed: number;
    readonly isUndone: boolean;
    /** Where it is one job, and has been enqueued. */
    readonly jobId: string | null;
  };
  readonly QueueList: {
    readonly queues: readonly Schemas['QueueState'][];
  };
  readonly QueueState: {
    readonly queue: string;
    /** Empty: nothing of the queue waits or ran lately. */
    readonly type: string;
    readonly due: number;
    readonly scheduled: number;
    /** Due, and waiting at a gate of flow control. */
    readonly held: number;
    readonly retrying: number;
    readonly running: number;
    readonly oldestWaitingSeconds: number;
    /** The queue has more runs than were counted. */
    readonly isAtLeast: boolean;
    /** Within the last five minutes, as all that follow; null: this queue keeps no figures of the past. */
    readonly claimed: number | null;
    readonly succeeded: number | null;
    readonly failed: number | null;
    readonly dead: number | null;
    readonly wait: Schemas['Times'] | null;
    readonly run: Schemas['Times'] | null;
    /** How many began in a second since what waits in the queue began to wait; null: none did lately. */
    readonly perSecond: number | null;
    /** How many came due in a second within five minutes, retries among them; null: it is not known yet. */
    readonly arrivalsPerSecond: number | null;
    /** How many slots these need: their number times the mean time of an attempt; null: it is not known. */
    readonly slotsNeeded: number | null;
    /** None has failed since, as far as workers have written it: to the minute. null: none failed lately. */
    readonly lastFailedAt: string | null;
    /** How many have succeeded since the last failure. */
    readonly succeededSince: number | null;
    /** Of its queue and of its type. */
    readonly pauses: readonly Schemas['Pause'][];
  };
  readonly Times: {
    readonly count: number;
    readonly meanMs: number | null;
    /** Half took less; within a factor of two. */
    readonly p50Ms: number | null;
    readonly p95Ms: number | null;
  };
  readonly Pause: {
    readonly kind: 'queue' | 'type';
    readonly name: string;
    readonly since: string;
    /** null: until somebody resumes it. */
    readonly until: string | null;
    readonly by: string | null;
    readonly reason: string | null;
  };
  readonly Resumed: {
    /** The pause that has ended; null: there was none. */
    readonly pause: Schemas['Pause'] | null;
  };
  readonly SlotsChange: {
    readonly queue: string;
    /** What is set for the queue; null: what the programs declare holds. */
    readonly slots: number | null;
    /** The live workers of the queue. */
    readonly workers: readonly {
      readonly name: string;
      readonly declared: number | null;
      readonly before: number | null;
      readonly after: number | null;
    }[];
    /** Slots of all of them together. */
    readonly before: number;
    readonly after: number;
    /** How many connections the server allows: a handler may need one of its own. */
    readonly maxConnections: number;
  };
  readonly SlotsRequest: {
    /** How many handlers each worker runs at once; null takes a change back. */
    readonly slots: number | null;
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly PauseList: {
    readonly pauses: readonly Schemas['Pause'][];
  };
  readonly AlertList: {
    readonly alerts: readonly Schemas['Alert'][];
    readonly silences: readonly Schemas['AlertSilence'][];
  };
  readonly Alert: {
    /** Its name and what it is about. */
    readonly key: string;
    readonly name:
      | 'failing_job_type'
      | 'no_worker_for_type'
      | 'schedule_late'
      | 'effect_unknown'
      | 'too_many_dead_jobs'
      | 'oldest_job_waits_too_long'
      | 'held_job_waits_too_long'
      | 'job_released_too_often'
      | 'breaker_open'
      | 'order_blocked'
      | 'horizon_pinned'
      | 'disk_fills_up'
      | 'dead_runs_expire'
      | 'test';
    /** A type, queue, rule, schedule or session; empty: all of it. */
    readonly subject: string;
    readonly severity: 'critical' | 'warning' | 'info';
    /** What is wrong, as a sentence. */
    readonly text: string;
    /** What to look at first. */
    readonly advice: string;
    readonly facts: { readonly [name: string]: string | number };
    /** Since when it is on. */
    readonly raisedAt: string;
    readonly acknowledgedAt: string | null;
    readonly acknowledgedBy: string | null;
    /** null: whoever is to hear of it does. */
    readonly silencedUntil: string | null;
  };
  readonly AlertSilence: {
    /** An alert with what it is about, an alert, or `*` for all. */
    readonly key: string;
    readonly since: string;
    readonly until: string;
    readonly by: string;
    readonly reason: string | null;
  };
  readonly AlertSilenceRequest: {
    /** An alert with what it is about, an alert, or `*` for all. */
    readonly key: string;
    /** How long: up to 366 days. null ends it. */
    readonly for: string | null;
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly AlertAcknowledgeRequest: {
    readonly key: string;
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly AlertTestRequest: {
    readonly severity?: 'critical' | 'warning' | 'info';
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly FlowRuleList: {
    readonly rules: readonly Schemas['FlowRule'][];
  };
  readonly FlowRule: {
    readonly name: string;
    readonly kind: 'limit' | 'rate' | 'order' | 'tenant' | 'breaker';
    readonly declared: Schemas['FlowTerms'];
    /** What an operator has set instead; null: nothing. */
    readonly changed: Schemas['FlowTerms'] | null;
    readonly changedBy: string | null;
    readonly changedAt: string | null;
    readonly terms: Schemas['FlowTerms'];
    /** The types whose contracts declare it. */
    readonly types: readonly string[];
    readonly keys: number;
    /** How many jobs hold one of its keys. */
    readonly running: number;
    /** How many units they hold. */
    readonly used: number;
    /** How many jobs wait at one of its keys. */
    readonly waiting: number;
    /** Since when the one waits that has waited for the longest time. */
    readonly waitingSince: string | null;
    /** Only a part was looked at. */
    readonly isAtLeast: boolean;
    /** How many of its keys let nobody in now. */
    readonly closed: number;
    /** Until when the last of them does not. */
    readonly closedUntil: string | null;
    /** Of a breaker: how many of its keys let in one at a time, until one has succeeded. */
    readonly trying: number;
    /** Of an order: at how many of its keys others wait behind a dead job. */
    readonly blocked: number;
  };
  readonly FlowTerms: {
    /** Of a limit how many units at once, of a rate how many in `perMs`. */
    readonly max?: number;
    readonly perMs?: number;
    readonly burst?: number;
    /** A breaker opens where this share of its last `of` attempts has failed, for `pauseMs`. */
    readonly share?: number;
    readonly of?: number;
    readonly pauseMs?: number;
    readonly onFailure?: 'wait' | 'step_over';
    readonly onDead?: 'let_go' | 'block';
  };
  readonly FlowChangeRequest: {
    /** null takes all back that was changed, and null of a field that one. */
    readonly change: Schemas['FlowChange'] | null;
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly FlowChange: {
    /** Of a limit or a rate. */
    readonly max?: number | null;
    /** Of a rate. */
    readonly per?: string | null;
    /** Of a rate. */
    readonly burst?: number | null;
    /** Of a breaker. */
    readonly share?: number | null;
    /** Of a breaker. */
    readonly of?: number | null;
    /** Of a breaker. */
    readonly pause?: string | null;
  };
  readonly FlowPreview: {
    readonly before: Schemas['FlowTerms'];
    readonly after: Schemas['FlowTerms'];
    readonly running: number;
    readonly waiting: number;
    /** Of a limit: how many would be let in at once. */
    readonly letIn: number | null;
    /** Of a limit: how many units run above the new bound until they end. */
    readonly over: number | null;
    readonly isAtLeast: boolean;
  };
  readonly FlowKeyPage: {
    readonly keys: readonly Schemas['FlowKey'][];
    readonly nextCursor: string | null;
  };
  readonly FlowKey: {
    readonly key: string;
    /** What it is by; null: the rule has one key for all jobs. */
    readonly value: string | null;
    readonly used: number;
    /** The first twenty. Of a tenant: its jobs that were let in. */
    readonly holders: readonly Schemas['FlowHolder'][];
    readonly waiting: number;
    readonly waitingIsAtLeast: boolean;
    /** Since when the one waits that has waited for the longest time. */
    readonly waitingSince: string | null;
    /** Of a tenant for which some wait: its turns for one of weight 1. */
    readonly weight: number | null;
    /** Of a rate: when its next unit is there; null: now. */
    readonly nextAt: string | null;
    /** Nothing is let in before. */
    readonly closedUntil: string | null;
    /** `trying`: one at a time, until one has succeeded. */
    readonly breaker: 'closed' | 'open' | 'trying' | null;
    readonly failed: number | null;
    readonly attempts: number | null;
  };
  readonly FlowHolder: {
    readonly id: string;
    readonly type: string;
    readonly status: string;
    readonly units: number;
    /** When it was claimed, or let in. */
    readonly since: string;
    /** Until when its lease holds. */
    readonly lockedUntil: string | null;
    readonly worker: string | null;
  };
  readonly FlowCloseRequest: {
    /** How long nothing is let in: up to ten years. */
    readonly for: string;
    /** Of a rule that is by a value: which key. */
    readonly value?: string;
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly FlowOpenRequest: {
    /** Of a rule that is by a value: which key. */
    readonly value?: string;
    /** Why, for the audit. */
    readonly reason?: string;
  };
  readonly EffectCheck: {
    readonly type: string;
    readonly since: string;
    /** Not included. */
    readonly until: string;
    /** Nothing that is recorded can have happened twice, and nothing that could is unrecorded. */
    readonly isProven: boolean;
    readonly sentence: string;
    /** Jobs that have begun an effect. */
    readonly jobs: number;
    /** Effects that are done, each once. */
    readonly done: number;
    /** Effects that are being done now. */
    readonly doing: number;
    readonly unknown: number;
    readonly repeated: number;
    /** Effects of which a try certainly did not happen, whatever became of them. */
    readonly undone: number;
    /** The first 100 of each doubt. */
    readonly doubts: readonly Schemas['DoubtfulEffect'][];
    /** Jobs that have run more than once, and of which no effect is recorded. */
    readonly unrecorded: number;
    /** The first 100. */
    readonly unrecordedJobs: readonly Schemas['UnrecordedJob'][];
  };
  readonly DoubtfulEffect: {
    /** `unknown`: it may have happened, and a person has to look; `repeated`: it was begun again after a try that may have happened; `undone`: a try certainly did not happen. */
    readonly doubt: 'unknown' | 'repeated' | 'undone';
    readonly name: string;
    readonly jobId: string;
    readonly startedAt: string;
    /** The key that the other side was given. */
    readonly lookFor: string;
  };
  readonly UnrecordedJob: {
    readonly jobId: string;
    readonly status: string;
    /** The newest 10 that did not succeed, the oldest first. */
    readonly attempts: readonly {
      readonly attempt: number;
      readonly outcome: string;
      readonly worker: string;
      readonly finishedAt: string;
      readonly errorCode: string | null;
    }[];
  };
  readonly FailureList: {
    readonly since: string;
    /** When the step ends that it is now. */
    readonly until: string;
    readonly stepSeconds: number;
    /** Those with the most dead jobs first, 100 at most. */
    readonly groups: readonly Schemas['FailureGroup'][];
    /** false: only the newest 10,000 dead and 5,000 live ones were searched; older ones are missing. */
    readonly isComplete: boolean;
  };
  readonly FailureGroup: {
    /** The same for the same code, error type and pattern, whatever the job type. */
    readonly fingerprint: string;
    readonly type: string;
    readonly code: string;
    readonly errorType: string | null;
    /** The error with … where it differs from job to job. Shown with the scope `payloads`; otherwise null. */
    readonly pattern: string | null;
    /** One of the errors. Shown with the scope `payloads`; otherwise null. */
    readonly message: string | null;
    /** Jobs that were given up. */
    readonly dead: number;
    /** Jobs that will be retried by themselves. */
    readonly retrying: number;
    /** Jobs by step, the oldest first. */
    readonly counts: readonly number[];
    /** The first attempt that failed with this error within the time, whatever became of its job. */
    readonly firstAt: string;
    readonly lastAt: string;
    /** It has failed like this within as long a time before, too. */
    readonly isOlder: boolean;
    /** Who made the first attempt; null: it is not kept. */
    readonly beganWith: {
      readonly worker: string;
      /** Of the code of that worker. */
      readonly codeVersion: string | null;
      /** When the first worker with that version started. */
      readonly startedAt: string | null;
    } | null;
    /** Where it is thrown: the first frame of a stack that is of no package. Two: it has two causes. */
    readonly places: readonly string[];
    /** The newest of the jobs; the last of its attempts has the stack. */
    readonly newestJob: string;
    /** Of their contract. */
    readonly versions: readonly number[];
    /** Some of the workers that gave them up. */
    readonly workers: readonly string[];
    /** Finds these jobs, beside a status and a time. */
    readonly filter: string;
  };
  readonly WorkflowList: {
    /** Those of which most are live first. */
    readonly types: readonly Schemas['WorkflowType'][];
    /** false: there are more steps, or jobs that run, than were read. */
    readonly isComplete: boolean;
  };
  readonly WorkflowType: {
    readonly type: string;
    readonly running: number;
    readonly waiting: number;
    /** One of the two is larger. */
    readonly isAtLeast: boolean;
    /** Where its live jobs are; where most are comes first. */
    readonly places: readonly Schemas['WorkflowPlace'][];
    /** How long its steps took lately, the slowest first. */
    readonly steps: readonly Schemas['WorkflowStep'][];
    readonly compensations: {
      /** Live jobs that went on behind a failed step, or whose graph undoes what it did. */
      readonly running: number;
      /** Jobs of `undo` that are dead or cancelled. */
      readonly failed: number;
    };
  };
  readonly WorkflowPlace: {
    /** Without the number that it has in a loop. Of jobs that run: the last that each has ended; null: none yet. */
    readonly step: string | null;
    /** `work`: a worker does something. The others are waits; a `child` is a job that the handler has enqueued. */
    readonly kind: 'work' | 'time' | 'signal' | 'job' | 'child';
    /** The name of the signal. */
    readonly signal: string | null;
    readonly jobs: number;
    /** There are more: only the newest were counted. */
    readonly isAtLeast: boolean;
    /** When the first of them came here; of jobs that run, when the first attempt began. */
    readonly since: string;
    /** Finds these jobs. */
    readonly filter: string;
  };
  readonly WorkflowStep: {
    readonly step: string;
    /** `work`: a worker does something. The others are waits; a `child` is a job that the handler has enqueued. */
    readonly kind: 'work' | 'time' | 'signal' | 'job' | 'child';
    /** So many were measured. */
    readonly times: number;
    readonly medianMs: number;
    /** 95 of 100 took no longer. */
    readonly p95Ms: number;
    /** So many failed, and their handlers went on; or the jobs that they waited for are dead or cancelled. */
    readonly failed: number;
  };
  readonly FiguresList: {
    readonly figures: readonly Schemas['Figures'][];
  };
  readonly Figures: {
    /** When the step begins. */
    readonly at: string;
    readonly queue: string;
    readonly type: string;
    /** Attempts that began. */
    readonly claimed: number;
    readonly succeeded: number;
    /** Attempts that are tried again. */
    readonly failed: number;
    readonly dead: number;
    readonly cancelled: number;
    readonly snoozed: number;
    readonly wait: Schemas['Times'];
    readonly run: Schemas['Times'];
    /** The most that was due at one of the samples of each minute. */
    readonly due: number | null;
    readonly running: number | null;
    /** As `due`: of those that wait at a gate of flow control. */
    readonly held: number | null;
    readonly oldestWaitingSeconds: number | null;
  };
  readonly WorkerList: {
    readonly workers: readonly Schemas['LiveWorker'][];
  };
  readonly LiveWorker: {
    readonly name: string;
    readonly host: string | null;
    readonly pid: number | null;
    /** What its program was told; null: nothing. */
    readonly codeVersion: string | null;
    readonly startedAt: string;
    /** When it last reported; it does so once a minute. */
    readonly seenAt: string;
    readonly queues: readonly string[];
    readonly types: readonly {
      readonly type: string;
      readonly oldestVersion: number;
      readonly version: number;
    }[];
    /** How many handlers it runs at once. */
    readonly slots: number | null;
    /** How many its program was given; slots differs if that was changed. */
    readonly declaredSlots: number | null;
    /** What was set for its queues; the least holds. */
    readonly changedSlots: readonly {
      readonly queue: string;
      readonly slots: number;
      readonly since: string;
      readonly by: string | null;
      readonly reason: string | null;
    }[];
    /** How many of them were taken when it was seen. */
    readonly running: number | null;
    /** Claimed ahead of a free slot. */
    readonly buffered: number | null;
    /** How late its event loop was. */
    readonly loopDelayMs: number | null;
    /** What kept it from claiming; null: nothing did. */
    readonly shutBy: string | null;
    /** How many runs it holds now. */
    readonly held: number;
    /** The first hundred of them. */
    readonly runs: readonly {
      readonly id: string;
      readonly type: string;
      readonly queue: string;
      readonly attempt: number;
      readonly claimedAt: string;
      readonly lockedUntil: string;
    }[];
    /** More jobs are due than were searched: it may hold more. */
    readonly isAtLeast: boolean;
    /** lost: its session has ended. stalled: it has renewed no lease for half of its time. silent: it has not reported for 100 s. */
    readonly state: 'claims' | 'shut' | 'silent' | 'stalled' | 'lost';
    /** For how long it has renewed nothing; null: it renews, or holds nothing. */
    readonly stalledMs: number | null;
  };
  readonly UnservedList: {
    readonly unserved: readonly Schemas['UnservedType'][];
  };
  readonly UnservedType: {
    readonly queue: string;
    readonly type: string;
    readonly version: number;
    /** How many are due. */
    readonly waiting: number;
    readonly oldestWaitingSeconds: number;
    /** More jobs of the queue are due than were searched. */
    readonly isAtLeast: boolean;
    /** Any worker, one for the type, one that claims from the queue, or one that reads the version. */
    readonly missing: 'worker' | 'type' | 'queue' | 'version';
    /** The last that could run them; null: none within 30 days. */
    readonly lastWorker: string | null;
    readonly lastSeenAt: string | null;
  };
  readonly BulkPreview: {
    readonly statuses: readonly ('queued' | 'running' | 'failed' | 'succeeded' | 'dead' | 'cancelled')[];
    readonly count: {
      readonly count: number;
      /** There are more than were searched. */
      readonly isAtLeast: boolean;
    };
    readonly refused: readonly {
      readonly code:
        | 'transition_not_allowed'
        | 'effect_unknown'
        | 'no_key'
        | 'invalid_payload'
        | 'payload_offloaded'
        | 'number_not_kept'
        | 'unknown_job_version'
        | 'key_missing'
        | 'changed_meanwhile';
      /** null: they were not counted. */
      readonly count: number | null;
      readonly why: string;
    }[];
    readonly sample: readonly {
      readonly id: string;
      readonly type: string;
      readonly queue: string;
      readonly status: 'queued' | 'running' | 'failed' | 'succeeded' | 'dead' | 'cancelled';
      readonly runAt: string;
      readonly errorCode: string | null;
      readonly finishedAt: string | null;
      readonly refusal: {
        readonly code:
          | 'transition_not_allowed'
          | 'effect_unknown'
          | 'no_key'
          | 'invalid_payload'
          | 'payload_offloaded'
          | 'number_not_kept'
          | 'unknown_job_version'
          | 'key_missing'
          | 'changed_meanwhile';
        readonly why: string;
      } | null;
    }[];
  };
  readonly NewBulkAction:
    | {
        readonly verb: 'retry';
        /** Of jobs that are dead with `effect_unknown`, which are refused unless it is given. */
        readonly effectsHappened?: boolean;
        /** Their new priority: with 9 they run behind whatever else is due. */
        readonly priority?: number;
        /** Which jobs, in the language of filters. Without `status:` it means those that the verb is for. */
        readonly filter: string;
        /** How many jobs a second at most; 5,000 unless given. */
        readonly perSecond?: number;
        /** Refuses to begin when more jobs fit: what the preview said. */
        readonly atMost?: number;
        /** Why, for the audit. */
        readonly reason?: string;
      }
    | {
        readonly verb: 'cancel' | 'free_key' | 'delete';
        /** Which jobs, in the language of filters. Without `status:` it means those that the verb is for. */
        readonly filter: string;
        /** How many jobs a second at most; 5,000 unless given. */
        readonly perSecond?: number;
        /** Refuses to begin when more jobs fit: what the preview said. */
        readonly atMost?: number;
        /** Why, for the audit. */
        readonly reason?: string;
      }
    | {
        readonly verb: 'reschedule';
        readonly runAt: string;
        /** Spreads the jobs over this long behind `runAt`. */
        readonly spreadSeconds?: number;
        /** Which jobs, in the language of filters. Without `status:` it means those that the verb is for. */
        readonly filter: string;
        /** How many jobs a second at most; 5,000 unless given. */
        readonly perSecond?: number;
        /** Refuses to begin when more jobs fit: what the preview said. */
        readonly atMost?: number;
        /** Why, for the audit. */
        readonly reason?: string;
      }
    | {
        readonly verb: 'change_priority';
        readonly priority: number;
        /** Which jobs, in the language of filters. Without `status:` it means those that the verb is for. */
        readonly filter: string;
        /** How many jobs a second at most; 5,000 unless given. */
        readonly perSecond?: number;
        /** Refuses to begin when more jobs fit: what the preview said. */
        readonly atMost?: number;
        /** Why, for the audit. */
        readonly reason?: string;
      }
    | {
        readonly verb: 'change_queue';
        readonly queue: string;
        /** Which jobs, in the language of filters. Without `status:` it means those that the verb is for. */
        readonly filter: string;
        /** How many jobs a second at most; 5,000 unless given. */
        readonly perSecond?: number;
        /** Refuses to begin when more jobs fit: what the preview said. */
        readonly atMost?: number;
        /** Why, for the audit. */
        readonly reason?: string;
      }
    | {
        readonly verb: 'edit_payload';
        /** The names on the way to the field. */
        readonly path: readonly string[];
        /** Its new value; without it the field is removed. */
        readonly value?: unknown;
        /** Which jobs, in the language of filters. Without `status:` it means those that the verb is for. */
        readonly filter: string;
        /** How many jobs a second at most; 5,000 unless given. */
        readonly perSecond?: number;
        /** Refuses to begin when more jobs fit: what the preview said. */
        readonly atMost?: number;
        /** Why, for the audit. */
        readonly reason?: string;
      };
  readonly BulkAction: {
    readonly id: string;
    readonly verb:
      | 'retry'
      | 'cancel'
      | 'reschedule'
      | 'change_priority'
      | 'change_queue'
      | 'edit_payload'
      | 'free_key'
      | 'delete'
      | 'undo';
    readonly filter: string;
    readonly options: { readonly [name: string]: unknown };
    /** The action that this one undoes. */
    readonly undoOf: string | null;
    readonly status: 'running' | 'finished' | 'aborted';
    readonly by: string;
    readonly via: 'api' | 'command' | 'program';
    readonly from: string | null;
    readonly reason: string | null;
    /** How many jobs fitted when it began. */
    readonly total: {
      readonly count: number;
      /** There are more than were searched. */
      readonly isAtLeast: boolean;
    };
    /** How many it has changed. */
    readonly done: number;
    /** How many it has left as they were, by code. */
    readonly refused: { readonly [name: string]: number };
    readonly createdAt: string;
    readonly finishedAt: string | null;
    /** null: it cannot be undone, cannot any more, or has been. */
    readonly undoUntil: string | null;
  };
  readonly BulkActionPage: {
    readonly actions: readonly Schemas['BulkAction'][];
    /** null: this was the last page. */
    readonly nextCursor: string | null;
  };
  readonly AuditPage: {
    readonly entries: readonly Schemas['AuditEntry'][];
    /** null: this was the last page. */
    readonly nextCursor: string | null;
  };
  readonly AuditEntry: {
    readonly id: string;
    readonly at: string;
    /** Who it was. */
    readonly by: string;
    readonly via: 'api' | 'command' | 'program';
    /** The address that the request came from. */
    readonly from: string | null;
    readonly verb: string;
    /** What was changed: `job`, `schedule`, `bulk_action` … */
    readonly kind: string;
    /** Its id or its key. */
    readonly target: string;
    readonly before: { readonly [name: string]: unknown } | null;
    readonly after: { readonly [name: string]: unknown } | null;
    readonly reason: string | null;
  };
  readonly ApiKeyList: {
    readonly keys: readonly Schemas['ApiKey'][];
  };
  readonly ApiKey: {
    /** The public part of the key. */
    readonly id: string;
    readonly name: string;
    readonly scopes: readonly string[];
    readonly status: 'active' | 'expired' | 'revoked';
    readonly createdAt: string;
    readonly createdBy: string | null;
    /** null: never. */
    readonly expiresAt: string | null;
    /** A minute behind at most; null: never. */
    readonly lastUsedAt: string | null;
    readonly revokedAt: string | null;
    readonly revokedBy: string | null;
  };
  readonly CreatedApiKey: {
    /** The key. It is shown this once. */
    readonly text: string;
    readonly key: Schemas['ApiKey'];
  };
  readonly NewApiKey: {
    /** Names it in the audit: `key:<name>`. */
    readonly name: string;
    /** Only such as the caller has, too. */
    readonly scopes: readonly string[];
    /** Narrows `enqueue` to these types. */
    readonly types?: readonly string[];
    /** Why, for the audit. */
    readonly reason?: string;
    /** `90d`; unless given it works until it is revoked. What a key makes ends with that key at the latest. */
    readonly expiresIn?: string;
  };
  readonly ExplainedProblem: {
    readonly code: string;
    readonly status: number;
    readonly title: string;
    readonly means: string;
    readonly fix: string;
  };
}

/** What each operation takes and answers, by its name. */
export interface Operations {
  /** Say who calls, and what they may do */
  readonly showPrincipal: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['Principal'];
  };
  /** List the links of the console that lead elsewhere */
  readonly listConsoleLinks: {
    readonly params: null;
    readonly body: null;
    readonly answer: {
      readonly links: readonly Schemas['ConsoleLink'][];
    };
  };
  /** Say how people can sign in */
  readonly showSignIn: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['SignInWays'];
  };
  /** Begin to sign a person in */
  readonly beginSignIn: {
    readonly params: null;
    readonly body: Schemas['NewSignIn'];
    readonly answer: Schemas['BegunSignIn'];
  };
  /** Finish to sign a person in */
  readonly finishSignIn: {
    readonly params: null;
    readonly body: Schemas['ReturnedSignIn'];
    readonly answer: Schemas['SignedIn'];
  };
  /** Keep a person signed in */
  readonly refreshSignIn: {
    readonly params: null;
    readonly body: Schemas['ExpiredSignIn'];
    readonly answer: Schemas['SignedIn'];
  };
  /** Sign a person out at the issuer */
  readonly endSignIn: {
    readonly params: null;
    readonly body: Schemas['EndedSignIn'];
    readonly answer: Schemas['SignOut'];
  };
  /** Enqueue a job */
  readonly enqueueJob: {
    readonly params: null;
    readonly body: Schemas['NewJob'];
    readonly answer: Schemas['EnqueuedJob'];
  };
  /** List the jobs that fit a filter, newest first */
  readonly listJobs: {
    readonly params: {
      readonly filter?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: Schemas['JobPage'];
  };
  /** Enqueue many jobs, all or none */
  readonly enqueueJobs: {
    readonly params: null;
    readonly body: {
      readonly jobs: readonly Schemas['NewJob'][];
    };
    readonly answer: Schemas['EnqueuedJobs'];
  };
  /** Count the jobs that fit a filter, up to 10,000 */
  readonly countJobs: {
    readonly params: { readonly filter?: string | undefined };
    readonly body: null;
    readonly answer: Schemas['JobCount'];
  };
  /** Read what has ended, each end at least once */
  readonly listEndedJobs: {
    readonly params: {
      readonly after?: string | undefined;
      readonly types?: string | undefined;
      readonly limit?: number | undefined;
    };
    readonly body: null;
    readonly answer: Schemas['EndedJobs'];
  };
  /** Look a job up */
  readonly getJob: {
    readonly params: { readonly id: string; readonly wait?: number | undefined; readonly whole?: boolean | undefined };
    readonly body: null;
    readonly answer: Schemas['JobDetail'];
  };
  /** Change a job that waits */
  readonly updateJob: {
    readonly params: { readonly id: string };
    readonly body: Schemas['UpdateJob'];
    readonly answer: Schemas['JobDetail'];
  };
  /** Follow a job */
  readonly followJob: {
    readonly params: { readonly id: string };
    readonly body: null;
    readonly answer: null;
  };
  /** Follow the jobs that fit a filter */
  readonly followJobs: {
    readonly params: { readonly filter?: string | undefined };
    readonly body: null;
    readonly answer: null;
  };
  /** List the signals that this API sends */
  readonly listSignals: {
    readonly params: null;
    readonly body: null;
    readonly answer: {
      readonly signals: readonly Schemas['SignalContract'][];
    };
  };
  /** Send a signal to the job that waits for it, or that will */
  readonly sendSignal: {
    readonly params: { readonly name: string };
    readonly body: { readonly [name: string]: unknown };
    readonly answer: Schemas['SentSignal'];
  };
  /** List events, and the types that subscribe to them */
  readonly listEvents: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['Events'];
  };
  /** Publish an event: a job for each type that subscribes */
  readonly publishEvent: {
    readonly params: { readonly event: string };
    readonly body: Schemas['NewEvent'];
    readonly answer: Schemas['PublishedEvent'];
  };
  /** Give a type the kept events that it has not had */
  readonly replayEvents: {
    readonly params: { readonly event: string };
    readonly body: Schemas['ReplayRequest'];
    readonly answer: Schemas['Replay'];
  };
  /** Count the events that a replay would give */
  readonly previewReplay: {
    readonly params: { readonly event: string };
    readonly body: Schemas['ReplayRequest'];
    readonly answer: Schemas['ReplayPreview'];
  };
  /** End the subscription of a type whose contract is gone */
  readonly unsubscribe: {
    readonly params: { readonly event: string };
    readonly body: Schemas['UnsubscribeRequest'];
    readonly answer: Schemas['Unsubscribed'];
  };
  /** List what a job asks people, and what they have decided */
  readonly listApprovals: {
    readonly params: { readonly id: string };
    readonly body: null;
    readonly answer: {
      readonly approvals: readonly Schemas['Approval'][];
    };
  };
  /** Decide what a job asks */
  readonly decide: {
    readonly params: { readonly id: string };
    readonly body: Schemas['Decision'];
    readonly answer: Schemas['Approval'];
  };
  /** Skip, fail or extend a wait of a job */
  readonly changeWait: {
    readonly params: { readonly id: string };
    readonly body: Schemas['ChangeWait'];
    readonly answer: {
      readonly isChanged: true;
    };
  };
  /** Enqueue jobs that belong together, and what comes once they have ended */
  readonly beginBatch: {
    readonly params: null;
    readonly body: {
      readonly name?: string;
      readonly jobs: readonly Schemas['NewJob'][];
      readonly onSettled?: Schemas['NewJob'];
      readonly onSucceeded?: Schemas['NewJob'];
      readonly onFirstDead?: Schemas['NewJob'];
    };
    readonly answer: Schemas['BegunBatch'];
  };
  /** List batches, newest first */
  readonly listBatches: {
    readonly params: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly body: null;
    readonly answer: Schemas['BatchPage'];
  };
  /** One batch and how many of its jobs have ended */
  readonly getBatch: {
    readonly params: { readonly id: string };
    readonly body: null;
    readonly answer: Schemas['Batch'];
  };
  /** Add jobs to a batch */
  readonly addToBatch: {
    readonly params: { readonly id: string };
    readonly body: {
      readonly jobs: readonly Schemas['NewJob'][];
    };
    readonly answer: Schemas['EnqueuedJobs'];
  };
  /** Cancel the jobs of a batch */
  readonly cancelBatch: {
    readonly params: { readonly id: string };
    readonly body: Schemas['Reason'];
    readonly answer: Schemas['CancelledBatch'];
  };
  /** Run a job now */
  readonly retryJob: {
    readonly params: { readonly id: string };
    readonly body: Schemas['RetryJob'];
    readonly answer: Schemas['JobDetail'];
  };
  /** Cancel a job */
  readonly cancelJob: {
    readonly params: { readonly id: string };
    readonly body: Schemas['Reason'];
    readonly answer: Schemas['JobDetail'];
  };
  /** Acknowledge a dead job, which stays dead */
  readonly acknowledgeJob: {
    readonly params: { readonly id: string };
    readonly body: Schemas['Reason'];
    readonly answer: Schemas['JobDetail'];
  };
  /** Free the idempotency key of a dead or cancelled job */
  readonly freeKey: {
    readonly params: { readonly id: string };
    readonly body: Schemas['Reason'];
    readonly answer: Schemas['FreedKey'];
  };
  /** List the job types with all their versions and JSON Schemas */
  readonly listContracts: {
    readonly params: null;
    readonly body: null;
    readonly answer: {
      readonly contracts: readonly Schemas['Contract'][];
    };
  };
  /** Parse what waits of a type by the contract that this server has */
  readonly checkPayloads: {
    readonly params: { readonly type: string };
    readonly body: null;
    readonly answer: Schemas['PayloadParses'];
  };
  /** List schedules by key */
  readonly listSchedules: {
    readonly params: {
      readonly type?: string | undefined;
      readonly source?: 'code' | 'api' | undefined;
      readonly paused?: boolean | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly dueTimes?: number | undefined;
    };
    readonly body: null;
    readonly answer: Schemas['SchedulePage'];
  };
  /** Make or edit a schedule */
  readonly saveSchedule: {
    readonly params: { readonly key: string; readonly reason?: string | undefined };
    readonly body: Schemas['NewSchedule'];
    readonly answer: Schemas['Schedule'];
  };
  /** Look a schedule up */
  readonly getSchedule: {
    readonly params: { readonly key: string };
    readonly body: null;
    readonly answer: Schemas['Schedule'];
  };
  /** Delete a schedule */
  readonly deleteSchedule: {
    readonly params: { readonly key: string; readonly reason?: string | undefined };
    readonly body: null;
    readonly answer: null;
  };
  /** Pause a schedule */
  readonly pauseSchedule: {
    readonly params: { readonly key: string };
    readonly body: Schemas['PauseRequest'];
    readonly answer: Schemas['Schedule'];
  };
  /** Resume a schedule */
  readonly resumeSchedule: {
    readonly params: { readonly key: string };
    readonly body: Schemas['Reason'];
    readonly answer: Schemas['ResumedSchedule'];
  };
  /** Run a schedule once, now, or a due time that was skipped */
  readonly triggerSchedule: {
    readonly params: { readonly key: string };
    readonly body: Schemas['TriggerRequest'];
    readonly answer: Schemas['EnqueuedJob'];
  };
  /** Preview a schedule */
  readonly previewSavedSchedule: {
    readonly params: { readonly key: string; readonly count?: number | undefined };
    readonly body: null;
    readonly answer: Schemas['SchedulePreview'];
  };
  /** Preview a rule */
  readonly previewSchedule: {
    readonly params: null;
    readonly body: Schemas['NewPreview'];
    readonly answer: Schemas['RulePreview'];
  };
  /** List the due times of schedules, newest first */
  readonly listDueTimes: {
    readonly params: {
      readonly schedule?: string | undefined;
      readonly type?: string | undefined;
      readonly job?: string | undefined;
      readonly outcome?: 'fired' | 'skipped' | 'waiting' | undefined;
      readonly from?: string | undefined;
      readonly to?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: Schemas['DueTimePage'];
  };
  /** Tick the schedules and wake the workers */
  readonly wake: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['Woken'];
  };
  /** What is wrong with the database, with the fix of each */
  readonly reportDoctor: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['DoctorReport'];
  };
  /** Say where a job is, and why */
  readonly explainJob: {
    readonly params: { readonly id: string };
    readonly body: null;
    readonly answer: Schemas['Explanation'];
  };
  /** List the effects of a job */
  readonly listEffects: {
    readonly params: { readonly id: string };
    readonly body: null;
    readonly answer: Schemas['EffectList'];
  };
  /** List the steps of a job, and what it waits for */
  readonly listSteps: {
    readonly params: { readonly id: string; readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly body: null;
    readonly answer: Schemas['StepPage'];
  };
  /** List the queues and types with their figures of now */
  readonly listQueues: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['QueueList'];
  };
  /** Pause a queue on every worker */
  readonly pauseQueue: {
    readonly params: { readonly queue: string };
    readonly body: Schemas['PauseRequest'];
    readonly answer: Schemas['Pause'];
  };
  /** Resume a queue */
  readonly resumeQueue: {
    readonly params: { readonly queue: string };
    readonly body: Schemas['Reason'];
    readonly answer: Schemas['Resumed'];
  };
  /** Pause a type on every worker */
  readonly pauseType: {
    readonly params: { readonly type: string };
    readonly body: Schemas['PauseRequest'];
    readonly answer: Schemas['Pause'];
  };
  /** Change how many handlers the workers of a queue run at once */
  readonly changeSlots: {
    readonly params: { readonly queue: string };
    readonly body: Schemas['SlotsRequest'];
    readonly answer: Schemas['SlotsChange'];
  };
  /** See what such a change would do */
  readonly previewSlots: {
    readonly params: { readonly queue: string };
    readonly body: Schemas['SlotsRequest'];
    readonly answer: Schemas['SlotsChange'];
  };
  /** Resume a type */
  readonly resumeType: {
    readonly params: { readonly type: string };
    readonly body: Schemas['Reason'];
    readonly answer: Schemas['Resumed'];
  };
  /** List the pauses of queues and types */
  readonly listPauses: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['PauseList'];
  };
  /** List the alerts that are on */
  readonly listAlerts: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['AlertList'];
  };
  /** Have nobody told of an alert for a while */
  readonly silenceAlert: {
    readonly params: null;
    readonly body: Schemas['AlertSilenceRequest'];
    readonly answer: Schemas['AlertList'];
  };
  /** Say that you look after an alert */
  readonly acknowledgeAlert: {
    readonly params: null;
    readonly body: Schemas['AlertAcknowledgeRequest'];
    readonly answer: Schemas['AlertList'];
  };
  /** Raise an alert that means nothing, to see whom it reaches */
  readonly testAlerts: {
    readonly params: null;
    readonly body: Schemas['AlertTestRequest'];
    readonly answer: Schemas['AlertList'];
  };
  /** List the rules of flow control */
  readonly listFlowRules: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['FlowRuleList'];
  };
  /** Read a rule of flow control */
  readonly showFlowRule: {
    readonly params: { readonly kind: 'limit' | 'rate' | 'order' | 'tenant' | 'breaker'; readonly name: string };
    readonly body: null;
    readonly answer: Schemas['FlowRule'];
  };
  /** Change a limit, a rate or a breaker */
  readonly changeFlowRule: {
    readonly params: { readonly kind: 'limit' | 'rate' | 'order' | 'tenant' | 'breaker'; readonly name: string };
    readonly body: Schemas['FlowChangeRequest'];
    readonly answer: Schemas['FlowRule'];
  };
  /** See what a change of a flow rule would do */
  readonly previewFlowRule: {
    readonly params: { readonly kind: 'limit' | 'rate' | 'order' | 'tenant' | 'breaker'; readonly name: string };
    readonly body: Schemas['FlowChangeRequest'];
    readonly answer: Schemas['FlowPreview'];
  };
  /** List the keys of a flow rule, with who holds them and how many wait */
  readonly listFlowKeys: {
    readonly params: {
      readonly kind: 'limit' | 'rate' | 'order' | 'tenant' | 'breaker';
      readonly name: string;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly value?: string | undefined;
      readonly busy?: boolean | undefined;
    };
    readonly body: null;
    readonly answer: Schemas['FlowKeyPage'];
  };
  /** Close a flow rule, or one of its keys, for a while */
  readonly closeFlowKey: {
    readonly params: { readonly kind: 'limit' | 'rate' | 'order' | 'tenant' | 'breaker'; readonly name: string };
    readonly body: Schemas['FlowCloseRequest'];
    readonly answer: Schemas['FlowKey'];
  };
  /** Open a flow rule that is closed, or one of its keys */
  readonly openFlowKey: {
    readonly params: { readonly kind: 'limit' | 'rate' | 'order' | 'tenant' | 'breaker'; readonly name: string };
    readonly body: Schemas['FlowOpenRequest'];
    readonly answer: Schemas['FlowKey'];
  };
  /** Prove that nothing happened twice */
  readonly checkEffects: {
    readonly params: {
      readonly type: string;
      readonly since?: string | undefined;
      readonly until?: string | undefined;
    };
    readonly body: null;
    readonly answer: Schemas['EffectCheck'];
  };
  /** Group the jobs that failed lately by their errors */
  readonly listFailures: {
    readonly params: { readonly type?: string | undefined; readonly range?: '1h' | '24h' | '7d' | '30d' | undefined };
    readonly body: null;
    readonly answer: Schemas['FailureList'];
  };
  /** Count the live durable jobs by step, and time their steps */
  readonly listWorkflows: {
    readonly params: { readonly type?: string | undefined };
    readonly body: null;
    readonly answer: Schemas['WorkflowList'];
  };
  /** Read the series of throughput, failures, waiting and running times */
  readonly listFigures: {
    readonly params: {
      readonly queue?: string | undefined;
      readonly type?: string | undefined;
      readonly since?: string | undefined;
      readonly step?: '1m' | '5m' | '15m' | '1h' | '6h' | '1d' | 'whole' | undefined;
      readonly group?: 'type' | 'all' | undefined;
    };
    readonly body: null;
    readonly answer: Schemas['FiguresList'];
  };
  /** List the workers that live */
  readonly listWorkers: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['WorkerList'];
  };
  /** List the types that are due and that no live worker can run */
  readonly listUnserved: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['UnservedList'];
  };
  /** See what a bulk action would do */
  readonly previewBulkAction: {
    readonly params: null;
    readonly body: Schemas['NewBulkAction'];
    readonly answer: Schemas['BulkPreview'];
  };
  /** Act on many jobs */
  readonly startBulkAction: {
    readonly params: null;
    readonly body: Schemas['NewBulkAction'];
    readonly answer: Schemas['BulkAction'];
  };
  /** List bulk actions, newest first */
  readonly listBulkActions: {
    readonly params: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
    readonly body: null;
    readonly answer: Schemas['BulkActionPage'];
  };
  /** One bulk action and its progress */
  readonly getBulkAction: {
    readonly params: { readonly id: string };
    readonly body: null;
    readonly answer: Schemas['BulkAction'];
  };
  /** End a bulk action where it is */
  readonly abortBulkAction: {
    readonly params: { readonly id: string };
    readonly body: Schemas['Reason'];
    readonly answer: Schemas['BulkAction'];
  };
  /** Undo a bulk action */
  readonly undoBulkAction: {
    readonly params: { readonly id: string };
    readonly body: Schemas['Reason'];
    readonly answer: Schemas['BulkAction'];
  };
  /** Who did what, newest first */
  readonly listAudit: {
    readonly params: {
      readonly by?: string | undefined;
      readonly verb?: string | undefined;
      readonly kind?: string | undefined;
      readonly target?: string | undefined;
      readonly job?: string | undefined;
      readonly since?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: Schemas['AuditPage'];
  };
  /** List the API keys, the oldest first */
  readonly listKeys: {
    readonly params: null;
    readonly body: null;
    readonly answer: Schemas['ApiKeyList'];
  };
  /** Make an API key */
  readonly createKey: {
    readonly params: null;
    readonly body: Schemas['NewApiKey'];
    readonly answer: Schemas['CreatedApiKey'];
  };
  /** Revoke an API key */
  readonly revokeKey: {
    readonly params: { readonly key: string };
    readonly body: Schemas['Reason'];
    readonly answer: Schemas['ApiKey'];
  };
}

/** Where each operation is. */
export const OPERATIONS = {
  showPrincipal: ['GET', '/v1/principal'],
  listConsoleLinks: ['GET', '/v1/console/links'],
  showSignIn: ['GET', '/v1/sign-in'],
  beginSignIn: ['POST', '/v1/sign-in'],
  finishSignIn: ['POST', '/v1/sign-in/token'],
  refreshSignIn: ['POST', '/v1/sign-in/refresh'],
  endSignIn: ['POST', '/v1/sign-in/end'],
  enqueueJob: ['POST', '/v1/jobs'],
  listJobs: ['GET', '/v1/jobs'],
  enqueueJobs: ['POST', '/v1/jobs/batch'],
  countJobs: ['GET', '/v1/jobs/count'],
  listEndedJobs: ['GET', '/v1/ended-jobs'],
  getJob: ['GET', '/v1/jobs/{id}'],
  updateJob: ['PATCH', '/v1/jobs/{id}'],
  followJob: ['GET', '/v1/jobs/{id}/events'],
  followJobs: ['GET', '/v1/events'],
  listSignals: ['GET', '/v1/signals'],
  sendSignal: ['POST', '/v1/signals/{name}'],
  listEvents: ['GET', '/v1/published-events'],
  publishEvent: ['POST', '/v1/published-events/{event}'],
  replayEvents: ['POST', '/v1/published-events/{event}/replay'],
  previewReplay: ['POST', '/v1/published-events/{event}/replay/preview'],
  unsubscribe: ['POST', '/v1/published-events/{event}/unsubscribe'],
  listApprovals: ['GET', '/v1/jobs/{id}/approvals'],
  decide: ['POST', '/v1/jobs/{id}/approve'],
  changeWait: ['POST', '/v1/jobs/{id}/change-wait'],
  beginBatch: ['POST', '/v1/batches'],
  listBatches: ['GET', '/v1/batches'],
  getBatch: ['GET', '/v1/batches/{id}'],
  addToBatch: ['POST', '/v1/batches/{id}/jobs'],
  cancelBatch: ['POST', '/v1/batches/{id}/cancel'],
  retryJob: ['POST', '/v1/jobs/{id}/retry'],
  cancelJob: ['POST', '/v1/jobs/{id}/cancel'],
  acknowledgeJob: ['POST', '/v1/jobs/{id}/acknowledge'],
  freeKey: ['POST', '/v1/jobs/{id}/free-key'],
  listContracts: ['GET', '/v1/contracts'],
  checkPayloads: ['GET', '/v1/contracts/{type}/parses'],
  listSchedules: ['GET', '/v1/schedules'],
  saveSchedule: ['PUT', '/v1/schedules/{key}'],
  getSchedule: ['GET', '/v1/schedules/{key}'],
  deleteSchedule: ['DELETE', '/v1/schedules/{key}'],
  pauseSchedule: ['POST', '/v1/schedules/{key}/pause'],
  resumeSchedule: ['POST', '/v1/schedules/{key}/resume'],
  triggerSchedule: ['POST', '/v1/schedules/{key}/trigger'],
  previewSavedSchedule: ['GET', '/v1/schedules/{key}/preview'],
  previewSchedule: ['POST', '/v1/schedule-previews'],
  listDueTimes: ['GET', '/v1/due-times'],
  wake: ['POST', '/v1/wake'],
  reportDoctor: ['GET', '/v1/doctor'],
  explainJob: ['GET', '/v1/jobs/{id}/explain'],
  listEffects: ['GET', '/v1/jobs/{id}/effects'],
  listSteps: ['GET', '/v1/jobs/{id}/steps'],
  listQueues: ['GET', '/v1/queues'],
  pauseQueue: ['POST', '/v1/queues/{queue}/pause'],
  resumeQueue: ['POST', '/v1/queues/{queue}/resume'],
  pauseType: ['POST', '/v1/types/{type}/pause'],
  changeSlots: ['PATCH', '/v1/queues/{queue}/slots'],
  previewSlots: ['POST', '/v1/queues/{queue}/slots/preview'],
  resumeType: ['POST', '/v1/types/{type}/resume'],
  listPauses: ['GET', '/v1/pauses'],
  listAlerts: ['GET', '/v1/alerts'],
  silenceAlert: ['POST', '/v1/alerts/silence'],
  acknowledgeAlert: ['POST', '/v1/alerts/acknowledge'],
  testAlerts: ['POST', '/v1/alerts/test'],
  listFlowRules: ['GET', '/v1/flow'],
  showFlowRule: ['GET', '/v1/flow/{kind}/{name}'],
  changeFlowRule: ['PATCH', '/v1/flow/{kind}/{name}'],
  previewFlowRule: ['POST', '/v1/flow/{kind}/{name}/preview'],
  listFlowKeys: ['GET', '/v1/flow/{kind}/{name}/keys'],
  closeFlowKey: ['POST', '/v1/flow/{kind}/{name}/close'],
  openFlowKey: ['POST', '/v1/flow/{kind}/{name}/open'],
  checkEffects: ['GET', '/v1/effects/check'],
  listFailures: ['GET', '/v1/failures'],
  listWorkflows: ['GET', '/v1/workflows'],
  listFigures: ['GET', '/v1/figures'],
  listWorkers: ['GET', '/v1/workers'],
  listUnserved: ['GET', '/v1/unserved'],
  previewBulkAction: ['POST', '/v1/bulk-actions/preview'],
  startBulkAction: ['POST', '/v1/bulk-actions'],
  listBulkActions: ['GET', '/v1/bulk-actions'],
  getBulkAction: ['GET', '/v1/bulk-actions/{id}'],
  abortBulkAction: ['POST', '/v1/bulk-actions/{id}/abort'],
  undoBulkAction: ['POST', '/v1/bulk-actions/{id}/undo'],
  listAudit: ['GET', '/v1/audit'],
  listKeys: ['GET', '/v1/api-keys'],
  createKey: ['POST', '/v1/api-keys'],
  revokeKey: ['POST', '/v1/api-keys/{key}/revoke'],
} as const satisfies Record<keyof Operations, readonly [method: string, path: string]>;

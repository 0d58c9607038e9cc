/** A feature, the test file that shows it, and words of the name of its test. */
export type Feature = readonly [name: string, file: string, test: string];

const CORE = 'packages/queue-core/src';
const OPERATE = 'packages/operate/src';
const POSTGRES = `${CORE}/store/postgres-store.test.ts`;
const HTTP = 'packages/http/src';
const SCHEDULES = 'packages/schedules/src';
const CONSOLE = 'tools/src/console';

/** What users of fifteen other job queues have, each with the shortest test that shows that Duework has it, too. */
export const FEATURES: readonly Feature[] = [
  // enqueueing
  [
    'enqueue in your transaction',
    'packages/clients-test/src/clients.test.ts',
    'a committed transaction leaves its row and one job',
  ],
  [
    'nothing enqueued by a rollback',
    'packages/clients-test/src/clients.test.ts',
    'a transaction that is rolled back leaves neither',
  ],
  [
    'enqueue from SQL',
    `${CORE}/sql/enqueue/enqueue-in-sql.test.ts`,
    'a trigger on a table of the team enqueues for each row',
  ],
  ['enqueue over HTTP', `${HTTP}/http/answer-repeatable.test.ts`, 'that is sent again gets the first answer'],
  [
    'a client for TypeScript',
    'packages/client/src/client.test.ts',
    'a job is enqueued, looked up, listed, cancelled and retried',
  ],
  [
    'mounted in web frameworks',
    'packages/mounts-test/src/mounts.test.ts',
    'a job is enqueued, and its Location leads to it',
  ],
  ['delays and due times', `${HTTP}/routes/jobs/jobs.test.ts`, 'a delay counts from the clock of the database'],
  ['priorities', `${CORE}/take/open-taker.test.ts`, 'the most urgent first'],
  [
    'waiting long beats urgent',
    `${CORE}/flow/flow-shares.test.ts`,
    'longer than maxWait is taken before more urgent ones',
  ],
  ['idempotency keys', `${CORE}/sql/enqueue/enqueue-keys.test.ts`, 'a batch answers each request with its own run'],
  ['unique in a time or a state', POSTGRES, 'in a period: the next period has one of its own'],
  ['debounce', POSTGRES, 'debounce: the one that waits gets the last payload and moment'],
  ['throttle', POSTGRES, 'throttle: the first runs now'],
  ['the newest wins', POSTGRES, 'the newest wins: the one that waits is cancelled'],
  [
    'expires if not started',
    `${OPERATE}/explain/explain-job.test.ts`,
    'expires: when it is cancelled unless it has started',
  ],
  [
    'change what waits',
    `${OPERATE}/bulk/bulk-actions.test.ts`,
    'reschedule, change_priority and change_queue change waiting jobs',
  ],
  ['typed payloads, validated', `${CORE}/run/validators.test.ts`, 'is lifted to valibot'],
  ['versions of payloads', `${CORE}/run/job-versions.test.ts`, 'a handler gets today’s payload'],
  [
    'encrypted fields',
    `${CORE}/secrets/sealed-runs.test.ts`,
    'that was stored by an older version is decrypted and lifted',
  ],
  ['large payloads apart', `${CORE}/objects/stores.test.ts`, '20 MB go in and out as a stream'],
  ['publish and subscribe', `${CORE}/enqueue/publish.test.ts`, 'is nothing where its transaction is rolled back'],
  ['replay for a new subscriber', `${OPERATE}/events/events.test.ts`, 'gives a new subscriber each kept event once'],
  // running
  ['retries with backoff', `${CORE}/run/handler-outcome.test.ts`, 'a failure is retried after its backoff'],
  ['backoff by your function', `${CORE}/settle/own-backoff.test.ts`, 'the backoff of a type decides'],
  ['snooze, retry, give up', `${CORE}/run/handler-outcome.test.ts`, 'retry, snooze and bury do what they say'],
  [
    'a time limit for each attempt',
    `${CORE}/run/time-limits.test.ts`,
    'an attempt that has computed beyond its time limit is aborted',
  ],
  ['cancel what runs', `${CORE}/run/attempt-abort.test.ts`, 'a running job is cancelled from another process'],
  ['progress', `${HTTP}/routes/live/follow-job.test.ts`, 'with its progress'],
  ['results', `${CORE}/queue/read-result.test.ts`, 'a result is read as its contract types it'],
  ['logs of attempts', `${CORE}/run/kept-log.test.ts`, 'a contract that keeps logs has them of each attempt'],
  [
    'handlers in processes of their own',
    'packages/isolation/src/kill.test.ts',
    'a busy loop that never yields is killed',
  ],
  ['a memory limit', 'packages/isolation/src/memory.test.ts', 'memory that a handler has freed'],
  ['middleware', `${CORE}/run/async-context.test.ts`, 'every middleware starts in it'],
  ['side effects once', `${CORE}/effects/once.test.ts`, 'an effect happens once'],
  [
    'complete in your transaction',
    'packages/clients-test/src/clients.test.ts',
    'a handler completes its job in the transaction',
  ],
  ['graceful shutdown', 'packages/worker/src/run-worker.test.ts', 'SIGTERM lets a running job end'],
  [
    'a dead worker’s jobs go on',
    `${CORE}/maintenance/rescue-lost.test.ts`,
    'the runs of a worker that was killed start again within 5 s',
  ],
  ['worker labels', `${CORE}/claim/labels.test.ts`, 'is run by workers that have all of them'],
  ['fetch and settle by hand', `${CORE}/take/open-taker.test.ts`, 'is completed with a result'],
  ['many jobs in one call', `${CORE}/run/collect.test.ts`, 'arrive as 100, 100 and 50'],
  ['told of the dead', POSTGRES, 'the type that a contract names is told of a buried run'],
  ['run what is due and end', 'packages/worker/src/run-once.test.ts', 'a wake-up that is told to stop'],
  // limits and order
  ['concurrency limits', POSTGRES, 'a limit is never exceeded'],
  ['a limit for each key', POSTGRES, 'a limit by a field counts for each value'],
  ['weights', POSTGRES, 'a run takes what it costs'],
  ['rate limits', POSTGRES, 'no more start than a rate lets'],
  ['the provider says wait', POSTGRES, 'a handler that is told to come back later shuts its rate for all'],
  ['circuit breakers', POSTGRES, 'a breaker opens where too many attempts fail'],
  ['order for each key', POSTGRES, 'the runs of a key run one at a time, as they were enqueued'],
  ['a failed job blocks its key, or not', POSTGRES, 'where dead runs block, the others of the key wait'],
  ['fair shares for tenants', POSTGRES, 'tenants take turns'],
  [
    'limits changed at run time',
    `${CORE}/flow/changed-rules.test.ts`,
    'a limit: no more of a key run at once than it says',
  ],
  ['pause a queue or a type', POSTGRES, 'of a paused queue nothing is claimed until it is resumed'],
  [
    'slots changed at run time',
    `${CORE}/worker/resize.test.ts`,
    'a worker runs as many jobs at once as an operator sets',
  ],
  // work that belongs together
  ['durable steps', `${CORE}/steps/steps.test.ts`, 'that is done is done for every attempt that follows'],
  ['sleep for days', `${CORE}/steps/waits.test.ts`, 'has no worker and is not charged'],
  ['signals', `${CORE}/steps/waits.test.ts`, 'wakes the run that waits for it'],
  [
    'approvals by people',
    `${OPERATE}/approvals/approvals.test.ts`,
    'a job waits without a worker until somebody decides',
  ],
  [
    'workflows as graphs',
    'packages/workflows/src/workflow.test.ts',
    'runs each job when those before it have succeeded',
  ],
  ['compensation', 'packages/workflows/src/workflow.test.ts', 'undoes what has succeeded'],
  ['batches with callbacks', POSTGRES, 'once all have succeeded, what is to be enqueued then is'],
  // schedules
  ['cron and time zones', `${SCHEDULES}/rules/next-due-times.test.ts`, 'Berlin: 02:30 does not exist on 29 March 2026'],
  [
    'each due time once',
    `${SCHEDULES}/tick/tick-schedules.test.ts`,
    'race through an hour of due times, and each due time fires once',
  ],
  [
    'missed due times by policy',
    `${SCHEDULES}/operate-schedules.test.ts`,
    'its policy decides about the due times it missed',
  ],
  ['seconds', `${SCHEDULES}/tick/seconds.test.ts`, 'fires each due time of a rule with seconds'],
  ['a schedule for each user', `${SCHEDULES}/save-schedule.test.ts`, 'a thousand entities can have a schedule each'],
  [
    'run a schedule now',
    `${SCHEDULES}/operate-schedules.test.ts`,
    'a trigger by hand makes a run beside the due times',
  ],
  // operating
  ['search by what is in payloads', `${HTTP}/routes/jobs/search-jobs.test.ts`, 'finds jobs by their payloads'],
  ['bulk actions with undo', `${OPERATE}/bulk/bulk-actions.test.ts`, 'brings jobs back behind all others'],
  ['why a job does not run', `${OPERATE}/explain/explain-job.test.ts`, 'paused: what, by whom'],
  [
    'failures by cause',
    `${OPERATE}/failures/read-failures.test.ts`,
    'jobs whose last errors differ in ids and numbers alone are one group',
  ],
  ['alerts', `${OPERATE}/alerts/alerts.test.ts`, 'what is on is listed with a sentence'],
  ['audit', `${CORE}/queue/audit.test.ts`, 'asks a running run to cancel'],
  ['keys and scopes', `${OPERATE}/keys/keys.test.ts`, 'may enqueue the types that it is narrowed to'],
  [
    'single sign-on',
    `${HTTP}/access/authorize/authorize-by-oidc.test.ts`,
    'is a person, who may do what the roles may',
  ],
  ['live updates', `${HTTP}/routes/live/follow-job.test.ts`, 'is told only what it has not seen'],
  [
    'a feed of all ends',
    `${OPERATE}/ended/read-ended-jobs.test.ts`,
    'an end that commits after later ones is told all the same',
  ],
  ['metrics', `${HTTP}/routes/figures/report-metrics.test.ts`, 'the state of the queue is read at each scrape'],
  ['traces', 'packages/otel/src/traces.test.ts', 'has a span for its enqueue and one for its attempt'],
  ['a console', `${CONSOLE}/durable.test.ts`, 'workflows say at which steps jobs gather'],
  ['two runs compared', `${CONSOLE}/durable.test.ts`, 'a dead job is compared with the last that succeeded'],
  // keeping it
  ['retention by type', `${CORE}/maintenance/own-retention.test.ts`, 'each type is kept for its own time'],
  [
    'migrations up and down',
    'packages/database/src/migrate/revert-migrations.test.ts',
    'one release back, two releases back, and up again',
  ],
  ['a doctor', `${OPERATE}/doctor/doctor-server.test.ts`, 'a server that may lose the database'],
  ['index care', `${OPERATE}/indexes/care-for-indexes.test.ts`, 'an index that is mostly empty is rebuilt and smaller'],
  ['roles with the least rights', 'packages/clients-test/src/rights.test.ts', 'enqueues with duework_app'],
  ['several databases', 'packages/shards/src/open-shards.test.ts', 'goes where shardOf says'],
  ['a queue in Redis', `${HTTP}/over-queue/over-bullmq.test.ts`, 'jobs of the dedicated queue are enqueued'],
  ['a move from other queues', 'packages/cli/src/move/pg-boss.test.ts', 'undo puts each row back as it was'],
  ['tests without a server', 'packages/testing/src/kit/drain-in-memory.test.ts', 'enqueue in memory, drain and look'],
];

import { TYPES } from './fill/shape.js';

/** What is known of the data, for the screens that show one of each. */
export interface Known {
  readonly dead: string;
  readonly waiting: string;
  readonly succeeded: string;
  /** Behind the first page of the jobs, and of the audit. */
  readonly jobsCursor: string;
  readonly auditCursor: string;
  /** The filter of an error group that many jobs have. */
  readonly errorFilter: string;
}

export interface Call {
  readonly screen: string;
  readonly name: string;
  /** Its path and query; `n` is another number in each call. */
  readonly path: (n: number) => string;
  /** Sent as JSON with a POST. */
  readonly body?: object;
}

const HOUR_MS = 3_600_000;
const query = (params: Readonly<Record<string, string | number>>): string =>
  `?${Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

/** The spans of the overview: the steps of its charts, and how far back these go. */
const SPANS = [
  ['hour', '1m', 63 * 60_000, HOUR_MS],
  ['day', '15m', 24.75 * HOUR_MS, 24 * HOUR_MS],
  ['90 days', '1d', 90 * 24 * HOUR_MS, 90 * 24 * HOUR_MS],
] as const;

function listFigures(): Call[] {
  const screen = 'Overview';
  return SPANS.flatMap(([span, step, chartMs, wholeMs]) => [
    {
      screen,
      name: `charts of all, ${span}`,
      path: () => `/v1/figures${query({ step, group: 'all', since: ago(chartMs) })}`,
    },
    {
      screen,
      name: `charts of one type, ${span}`,
      path: (n) => {
        const type = n % TYPES;
        return `/v1/figures${query({ step, group: 'all', queue: `queue_${type % 8}`, type: `type_${type}`, since: ago(chartMs) })}`;
      },
    },
    { screen, name: `each type, ${span}`, path: () => `/v1/figures${query({ step: 'whole', since: ago(wholeMs) })}` },
  ]);
}

/** As the console asks: no filter is no parameter. */
const filterOf = (filter: string): { readonly filter?: string } => (filter === '' ? {} : { filter });

function listJobs({ jobsCursor, errorFilter }: Known): Call[] {
  const screen = 'Jobs';
  const filters: readonly (readonly [name: string, filter: (n: number) => string])[] = [
    ['every job', () => ''],
    ['status:queued', () => 'status:queued'],
    ['status:running', () => 'status:running'],
    ['status:failed', () => 'status:failed'],
    ['status:dead', () => 'status:dead'],
    ['status:succeeded', () => 'status:succeeded'],
    ['type:type_<n>', (n) => `type:type_${n % TYPES}`],
    ['status:dead type:type_<n>', (n) => `status:dead type:type_${n % TYPES}`],
    ['status:dead payload.orderId:<n>', (n) => `status:dead payload.orderId:${n}`],
    ['key:invoice:<n>', (n) => `key:invoice:${n}`],
    ['status:dead,failed <an error>', () => `status:dead,failed ${errorFilter}`],
  ];
  return [
    ...filters.flatMap(([name, filter]): Call[] => [
      { screen, name: `page of ${name}`, path: (n) => `/v1/jobs${query({ ...filterOf(filter(n)), limit: 50 })}` },
      { screen, name: `count of ${name}`, path: (n) => `/v1/jobs/count${query(filterOf(filter(n)))}` },
    ]),
    { screen, name: 'second page', path: () => `/v1/jobs${query({ limit: 50, cursor: jobsCursor })}` },
    { screen, name: 'bulk actions', path: () => '/v1/bulk-actions?limit=50' },
    {
      screen,
      name: 'preview of a bulk retry',
      path: () => '/v1/bulk-actions/preview',
      body: { verb: 'retry', filter: `status:dead ${errorFilter}` },
    },
  ];
}

function listSchedules(): Call[] {
  const screen = 'Schedules';
  const keyOf = (n: number): string => `schedule:${String(1 + (n % 200)).padStart(4, '0')}`;
  return [
    { screen, name: 'page with slots', path: () => '/v1/schedules?limit=100&slots=12' },
    { screen, name: 'second page with slots', path: () => '/v1/schedules?limit=100&slots=12&cursor=schedule%3A0100' },
    { screen, name: 'one', path: (n) => `/v1/schedules/${keyOf(n)}` },
    { screen, name: 'its ledger', path: (n) => `/v1/slots${query({ schedule: keyOf(n), limit: 60 })}` },
    { screen, name: 'its next slots', path: (n) => `/v1/schedules/${keyOf(n)}/preview?count=400` },
    {
      screen,
      name: 'its expected slots',
      path: () => '/v1/schedule-previews',
      body: { cron: '*/5 * * * *', timeZone: 'UTC', count: 200, after: ago(5 * HOUR_MS) },
    },
  ];
}

/** What each screen of the console asks, as it asks it. */
export function listCalls(known: Known): readonly Call[] {
  const versionOf = (n: number): string => `status:queued,failed type:type_${n % TYPES} version:${1 + (n % 3)}`;
  return [
    { screen: 'everywhere', name: 'who is signed in', path: () => '/v1/principal' },
    { screen: 'Overview, Queues', name: 'queues', path: () => '/v1/queues' },
    { screen: 'Overview, Workers', name: 'workers', path: () => '/v1/workers' },
    { screen: 'Overview, Workers', name: 'types that nobody runs', path: () => '/v1/unserved' },
    { screen: 'Overview', name: 'findings of the doctor', path: () => '/v1/doctor' },
    ...listFigures(),
    ...listJobs(known),
    { screen: 'A job', name: 'a dead one', path: () => `/v1/jobs/${known.dead}` },
    { screen: 'A job', name: 'one that waits', path: () => `/v1/jobs/${known.waiting}` },
    { screen: 'A job', name: 'one that has succeeded', path: () => `/v1/jobs/${known.succeeded}` },
    { screen: 'A job', name: 'its effects', path: () => `/v1/jobs/${known.dead}/effects` },
    { screen: 'A job', name: 'its steps', path: () => `/v1/jobs/${known.dead}/steps?limit=1000` },
    { screen: 'A job', name: 'its slot', path: () => `/v1/slots?job=${known.succeeded}&limit=1` },
    { screen: 'A job', name: 'links of the server', path: () => '/v1/console/links' },
    { screen: 'A job', name: 'why one waits', path: () => `/v1/jobs/${known.waiting}/explain` },
    { screen: 'A job', name: 'why one is dead', path: () => `/v1/jobs/${known.dead}/explain` },
    ...['1h', '24h', '7d', '30d'].map((range) => ({
      screen: 'Failures',
      name: `of ${range}`,
      path: () => `/v1/failures?range=${range}`,
    })),
    { screen: 'Failures', name: 'of one type', path: (n) => `/v1/failures?range=7d&type=type_${n % TYPES}` },
    ...listSchedules(),
    { screen: 'Contracts', name: 'contracts', path: () => '/v1/contracts' },
    {
      screen: 'Contracts',
      name: 'count of a version',
      path: (n) => `/v1/jobs/count${query({ filter: versionOf(n) })}`,
    },
    { screen: 'Audit', name: 'page', path: () => '/v1/audit?limit=50' },
    { screen: 'Audit', name: 'second page', path: () => `/v1/audit${query({ limit: 50, cursor: known.auditCursor })}` },
    {
      screen: 'Audit',
      name: 'of somebody',
      path: (n) => `/v1/audit${query({ limit: 50, by: `key:person-${n % 20}` })}`,
    },
    { screen: 'Audit', name: 'of a verb', path: () => '/v1/audit?limit=50&verb=pause' },
    {
      screen: 'Audit',
      name: 'of a kind since 7 days',
      path: () => `/v1/audit${query({ limit: 50, kind: 'queue', since: ago(7 * 24 * HOUR_MS) })}`,
    },
    { screen: 'Audit', name: 'of a job', path: () => `/v1/audit?limit=50&job=${known.dead}` },
    { screen: 'Audit', name: 'that nothing fits', path: () => '/v1/audit?limit=50&verb=nothing' },
  ];
}

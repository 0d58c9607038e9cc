export const overview = {
  title: 'Overview',
  troubles: 'What is wrong',
  well: 'Nothing is wrong',
  wellHint: 'Workers can run everything that is due, and few jobs fail.',
  wellHintOfQueue: 'Nothing has been due for long, and nothing is paused.',
  moreTroubles: (count: number) => `and ${count} more`,
  fewerTroubles: 'Show fewer',
  newTroubles: (count: number) => (count === 1 ? 'Something else is wrong' : `${count} other things are wrong`),
  wrongNow: (count: number) =>
    count === 0 ? 'Nothing is wrong' : count === 1 ? 'One thing is wrong' : `${count} things are wrong`,
  range: 'Range',
  ranges: { hour: 'Hour', day: 'Day', quarter: '90 days' },
  figures: 'Figures',
  of: (type: string, queue: string) => [type, queue].filter((name) => name !== '').join(' in '),
  ofAll: 'Show the figures of all queues and types',
  workers: 'Workers',
  toWorkers: 'What they run',
  allWorkers: (count: number) => `All ${count} workers`,
  noWorkers: 'No worker is running.',
  lost: 'gone',
  stalled: 'stands still',
  emptyTitle: 'Nothing here yet',
  emptyHint: 'This page shows how your workers and jobs are doing. Start a worker:',
  totals: {
    due: 'Due',
    later: (scheduled: string, retrying: string) => `${scheduled} later, ${retrying} to retry`,
    held: (held: string) => `${held} held at limits`,
    oldest: 'Oldest due',
    nothingDue: 'nothing is due',
    running: 'Running',
    slots: (taken: string, slots: string) => (slots === '0' ? 'no worker is running' : `${taken} of ${slots} slots`),
    succeeded: 'Succeeded',
    perMinute: 'per minute',
    lately: 'the last 5 minutes',
    failures: 'Failed attempts',
    ofEnded: (count: string) => `(${count})`,
    workers: 'Live workers',
    noWorkers: 'none',
    notKept: 'not kept here',
    notKnown: 'not known here',
  },
  sizes: {
    title: 'Size',
    takes: (size: string) => `The queue takes ${size}.`,
    grows: (size: string) => `It grows ${size} a day.`,
    growthUnknown: 'How fast it grows is known after a day.',
    needs: (days: number, size: string) => `${days} days of history need ${size}.`,
    disk: (used: string, disk: string, days: number | null) =>
      `Of the disk ${used} of ${disk} are used${days === null ? '' : `: it is full in ${days === 1 ? 'a day' : `${days} days`}`}.`,
    noDisk: 'How large the disk is, DISK_GB of the workers has not said.',
    byTable: 'Tables, with their indexes',
    more: (tables: number, size: string) => `and ${tables} more with ${size}`,
  },
  lacking: {
    title: (kind: string | null) => (kind === null ? 'What this queue has' : `What this queue, in ${kind}, has`),
    dead: 'Dead jobs',
    others: 'What it has not',
  },
  charts: {
    succeeded: 'Succeeded',
    failures: 'Failures',
    failed: 'failed',
    dead: 'dead',
    due: 'Due',
    wait: 'Waited',
    run: 'Ran',
    oldest: 'Oldest due',
    p50: 'p50',
    p95: 'p95',
  },
  table: {
    title: 'By type and queue',
    type: 'Type, queue',
    due: 'Due',
    running: 'Running',
    oldest: 'Oldest',
    succeeded: 'Succeeded',
    failed: 'Failed',
    dead: 'Dead',
    waitP50: 'Wait p50',
    waitP95: 'Wait p95',
    runP95: 'Run p95',
    choose: (type: string) => `Show the figures of ${type} alone, or all again`,
  },
  trouble: {
    severities: { error: 'Error', warning: 'Warning', told: 'Note', well: 'Over' },
    since: 'since',
    until: 'until',
    jobs: 'Jobs',
    failures: 'Failures',
    workers: 'Workers',
    queues: 'Queues',
    limits: 'Limits',
    noWorkers: 'Nothing runs: no live worker',
    noWorkersDetail: (waiting: string, types: string) => `${waiting} due of ${types}. Start a worker.`,
    unserved: {
      worker: (type: string, _queue: string, _version: number) => `Nothing runs for ${type}: no live worker`,
      type: (type: string, _queue: string, _version: number) =>
        `Nothing runs for ${type}: no live worker knows the type`,
      queue: (type: string, queue: string, _version: number) =>
        `Nothing runs for ${type}: no live worker takes it from the queue ${queue}`,
      version: (type: string, _queue: string, version: number) =>
        `Nothing runs for version ${version} of ${type}: no live worker reads it`,
    },
    unservedDetail: (waiting: string, oldest: string, lastWorker: string | null) =>
      `${waiting} due, the oldest for ${oldest}.${lastWorker === null ? '' : ` The last one was ${lastWorker}.`}`,
    failing: (type: string) => `${type} fails`,
    failingDetail: (failed: string, ended: string, dead: number, mostly: string | null) =>
      `${failed} of ${ended} attempts failed within the last five minutes${mostly === null ? '' : `, most with ${mostly}`}${dead === 0 ? '.' : `, and ${dead === 1 ? 'one job is' : `${dead} jobs are`} dead.`}`,
    died: (count: number, type: string) => `${count === 1 ? 'A job' : `${count} jobs`} of ${type} died`,
    diedDetail: 'within the last five minutes.',
    retrying: (count: string, type: string) => `${count} jobs of ${type} have failed and wait for a retry`,
    retryingDetail: 'They are retried automatically.',
    mended: (type: string) => `${type} no longer fails`,
    mendedSince: 'None failed since',
    mendedDetail: (succeeded: string, failed: string, ended: string) =>
      `, and ${succeeded} succeeded. ${failed} of ${ended} attempts failed within the last five minutes.`,
    saturated: (queue: string, slots: string, count: number) =>
      count === 1
        ? `The only slot of the queue ${queue} is taken`
        : `All ${slots} slots of the queue ${queue} are taken`,
    saturatedDetail: (due: string, count: number, oldest: string) =>
      `${due} ${count === 1 ? 'job waits' : 'jobs wait'}, the oldest for ${oldest}`,
    atThisRate: (time: string, perSecond: number, isAtLeast: boolean) =>
      `: ${isAtLeast ? 'at least' : 'about'} ${time} at ${Number(perSecond.toPrecision(2))} a second`,
    moreSlots: '. More workers or slots help.',
    needSlots: (perSecond: number, needed: number, isEnough: boolean) =>
      `. What comes (${Number(perSecond.toPrecision(2))} a second) needs about ${needed} ${needed === 1 ? 'slot' : 'slots'}${isEnough ? ', so the backlog drains' : ''}.`,
    behind: (type: string, oldest: string) => `${type} is behind: the oldest has been due for ${oldest}`,
    behindDetail: (due: string, running: number) => `${due} due, ${running} running. More workers or slots help.`,
    paused: (kind: 'queue' | 'type', name: string) => `The ${kind} ${name} is paused`,
    pausedDetail: (by: string | null, reason: string | null, due: string, count: number) =>
      `${by === null ? '' : ` by ${by}`}${reason === null ? '' : `: ${reason}`}. ${count === 0 ? 'No job is waiting.' : `${due} ${count === 1 ? 'job is' : 'jobs are'} waiting.`}`,
    waits: (text: string, count: number) =>
      count === 0 ? 'Nobody waits there.' : `${text} ${count === 1 ? 'job waits' : 'jobs wait'} there.`,
    breakerOpen: (name: string) => `${name} is open: too many have failed`,
    breakerTries: (name: string) => `${name} tries whether it works again, one job at a time`,
    shutRule: (name: string) => `${name} is shut`,
    orderBlocked: (name: string) => `${name} is blocked by dead jobs`,
    orderBlockedDetail: (text: string, count: number) =>
      `Others wait at ${text} ${count === 1 ? 'key' : 'keys'}: retry or acknowledge the dead ones.`,
    held: (name: string, age: string) => `Jobs have waited at ${name} for ${age}`,
    lost: (name: string) => `The worker ${name} is gone, or cut off from the database`,
    lostDetail: (held: number, isLast: boolean) =>
      held === 0
        ? 'It held nothing.'
        : `${held === 1 ? 'The job that it held starts' : `The ${held} jobs that it held start`} again ${isLast ? 'once another worker is running' : 'on another worker within seconds'}.`,
    stalled: (name: string, age: string, held: number) =>
      `The worker ${name} has ${held === 0 ? 'sent nothing' : 'renewed none of its leases'} for ${age}`,
    stalledDetail: (held: number) =>
      `It was stopped, is frozen, or a handler blocks it. ${
        held === 0
          ? 'It holds nothing.'
          : held === 1
            ? 'The job that it holds starts again on another worker once its lease expires.'
            : `The ${held} jobs that it holds start again on another worker once their leases expire.`
      }`,
    silent: (name: string, age: string) => `The worker ${name} has been silent for ${age}`,
    silentDetail: (held: number) =>
      held === 0 ? 'It holds nothing.' : `What it holds (${held}) goes to other workers once its leases expire.`,
    shut: (name: string) => `The worker ${name} takes no new jobs`,
    shutDetail: {
      event_loop: 'because its event loop lags: its handlers or its machine are too busy.',
      session: 'because it has lost its connection to the database.',
      gate: 'because its own program prevents it.',
    } as Readonly<Record<string, string>>,
  },
};

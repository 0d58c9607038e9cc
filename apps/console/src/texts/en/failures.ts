const whole = new Intl.NumberFormat('en');

export const failures = {
  title: 'Failures',
  range: 'Time',
  ranges: { '1h': 'last hour', '24h': 'last day', '7d': '7 days', '30d': '30 days' },
  everyType: 'Show every type again',
  onlyType: (type: string) => `Only ${type}`,
  summary: (groups: number, dead: number, retrying: number) =>
    `${groups === 1 ? 'One error' : `${groups} errors`}: ${whole.format(dead)} dead, ${whole.format(retrying)} will be retried`,
  incomplete: 'There are more: only the newest were looked at. Choose a shorter time.',
  emptyTitle: 'Nothing failed',
  empty: (range: string) => `No job died or waits for a retry (${range}).`,
  emptyHint: 'When some do, their errors are grouped here by what they have in common, with when it began.',
  column: { error: 'Error and type', jobs: 'Jobs', when: 'When', last: 'Last seen' },
  counted: { dead: 'Given up', failed: 'Will be retried by themselves' },
  fresh: 'new',
  now: 'now',
  cells: (some: number, all: number, most: string) =>
    `Failures in ${some} of ${all} steps of time, at most ${most} in one`,
  example: 'One of them',
  filter: 'Filter',
  open: 'Show the jobs',
  retry: (count: string) => `Retry the ${count} dead`,
  retryNow: (count: string) => `Try the ${count} that wait now`,
  firstSeen: 'First seen',
  lastSeen: 'Last seen',
  versions: 'Versions',
  workers: 'Workers',
  byStep: 'Jobs by when they failed',
};

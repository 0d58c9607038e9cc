/** What the screens of one thing are shown of. */
export interface Places {
  readonly job: string;
  readonly schedule: string;
}

/** Every screen with an address in which it shows something. */
export const listPlaces = ({ job, schedule }: Places): readonly { readonly name: string; readonly path: string }[] => [
  { name: 'overview', path: '/overview' },
  { name: 'alerts', path: '/alerts' },
  { name: 'jobs', path: '/jobs' },
  { name: 'job', path: `/jobs/${job}` },
  { name: 'failures', path: '/failures' },
  { name: 'compare', path: `/jobs/${job}/compare` },
  { name: 'workflows', path: '/workflows' },
  { name: 'batches', path: '/batches' },
  { name: 'schedules', path: '/schedules' },
  { name: 'schedule', path: `/schedules/${schedule}` },
  { name: 'queues', path: '/queues' },
  { name: 'flow', path: '/flow' },
  { name: 'flow rule', path: '/flow/limit/bank' },
  { name: 'workers', path: '/workers' },
  { name: 'contracts', path: '/contracts' },
  { name: 'contract', path: '/contracts/send_receipt' },
  { name: 'enqueue', path: '/contracts/send_receipt/enqueue' },
  { name: 'audit', path: '/audit' },
];

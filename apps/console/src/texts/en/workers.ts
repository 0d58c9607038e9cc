export const workers = {
  title: 'Workers',
  nobody: 'Types without a worker',
  idleTypes: 'No live worker knows these types. Nothing of them is due:',
  claims: 'takes jobs',
  lost: 'gone, or cut off: its connection to the database has ended',
  silent: 'silent: counts as gone after three minutes',
  stalled: (age: string, held: number) =>
    `has ${held === 0 ? 'sent nothing' : 'renewed none of its leases'} for ${age}: stopped, frozen or blocked`,
  shut: {
    event_loop: 'takes no new jobs: its event loop lags',
    session: 'takes no new jobs: it has lost its connection to the database',
    gate: 'takes no new jobs: its own program prevents it',
  } as Readonly<Record<string, string>>,
  seen: 'seen',
  slots: (taken: number, slots: number | null) =>
    slots === null
      ? `${taken} running`
      : taken <= slots
        ? `${taken} of ${slots} slots taken`
        : `All ${slots} slots taken, and ${taken - slots} claimed ahead`,
  ofSlots: (taken: number, slots: number) => `${taken}/${slots}`,
  declared: (slots: number) => `(${slots} declared)`,
  change: 'Change slots',
  changeTitle: (queue: string) => `Slots of the workers of ${queue}`,
  changeWords:
    'How many jobs each worker of the queue runs at once, whatever its program declares, until it is taken back. Running jobs go on.',
  queue: 'Queue',
  slotsEach: 'Slots of each worker',
  notSlots: 'The slots are a whole number from 1 to 1000.',
  preview: 'What it does',
  becomes: (workers: number, before: number, after: number) =>
    `${workers === 1 ? 'One worker' : `${workers} workers`}: ${before} → ${after} slots in all`,
  each: (name: string, before: string, after: string) => `${name}: ${before} → ${after}`,
  fewConnections: (most: number) => `The server allows ${most} connections, which handlers may need, too.`,
  changed: (queue: string, slots: number) => `Each worker of ${queue} runs at most ${slots} jobs at once.`,
  changedBy: (by: string) => `Set by ${by}`,
  takeBack: 'Take back',
  done: 'The workers follow within seconds.',
  noCode: 'unknown',
  pid: (pid: number) => `process ${pid}`,
  slowLoop: 'late',
  types: (count: number) => (count === 1 ? 'Runs one type' : `Runs ${count} types`),
  version: (oldest: number, newest: number) => (oldest === newest ? `v${newest}` : `v${oldest}–${newest}`),
  versions: (oldest: number, newest: number) =>
    oldest === newest ? `Reads version ${newest}` : `Reads the versions ${oldest} to ${newest}`,
  behind: (newest: number) => `(v${newest} is out)`,
  fact: {
    code: 'Version',
    host: 'Host',
    started: 'Started',
    loop: 'Loop delay',
    buffered: 'Claimed ahead',
    queues: 'Queues',
  },
  runs: {
    label: (name: string) => `What ${name} runs`,
    job: 'Job',
    type: 'Type',
    queue: 'Queue',
    attempt: 'Attempt',
    since: 'Running for',
    lease: 'Lease left',
    expired: 'expired',
    none: 'It is running nothing.',
    unknown: 'Too many jobs are due to say what it runs.',
    more: (count: number) => `and ${count} more`,
  },
  emptyTitle: 'No worker is running',
  emptyHint: 'A worker appears when it starts, and goes three minutes after it was last seen. Start one:',
};

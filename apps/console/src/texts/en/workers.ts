export const workers = {
  title: 'Workers',
  nobody: 'What nobody runs',
  idleTypes: 'No live worker knows these types, of which nothing is due:',
  claims: 'takes what is due',
  lost: 'gone, or cut off: its connection to the database has ended',
  silent: 'silent: taken for gone after three minutes',
  shut: {
    event_loop: 'takes nothing new: its event loop is too late',
    session: 'takes nothing new: it has lost its connection to the database',
    gate: 'takes nothing new: its own program keeps it from that',
  } as Readonly<Record<string, string>>,
  seen: 'seen',
  slots: (taken: number, slots: number | null) =>
    slots === null
      ? `${taken} running`
      : taken <= slots
        ? `${taken} of ${slots} slots taken`
        : `All ${slots} slots taken, and ${taken - slots} claimed ahead`,
  ofSlots: (taken: number, slots: number, ahead: number) => `${taken}/${slots}${ahead > 0 ? ` + ${ahead}` : ''}`,
  noCode: 'not told',
  pid: (pid: number) => `process ${pid}`,
  slowLoop: 'late',
  types: (count: number) => (count === 1 ? 'Runs one type' : `Runs ${count} types`),
  version: (oldest: number, newest: number) => (oldest === newest ? `v${newest}` : `v${oldest}–${newest}`),
  versions: (oldest: number, newest: number) =>
    oldest === newest ? `Reads version ${newest}` : `Reads the versions ${oldest} to ${newest}`,
  behind: (newest: number) => `(v${newest} is out)`,
  fact: {
    code: 'Code',
    host: 'On',
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
    since: 'Runs for',
    lease: 'Lease for',
    expired: 'expired',
    none: 'It runs nothing now.',
    unknown: 'More is due than was looked at, so what it runs is not known.',
    more: (count: number) => `and ${count} more`,
  },
  emptyTitle: 'No worker lives',
  emptyHint: 'A worker is shown from its start on, until three minutes after it was last seen. Start one:',
  emptyLines:
    "import { runWorker } from 'duework';\nimport { catalog, handlers } from './jobs.js';\nawait runWorker({ catalog, handlers });",
};

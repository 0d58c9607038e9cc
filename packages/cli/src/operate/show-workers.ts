import type { LiveWorker } from '@duework/operate';
import { cleanText } from '../output/clean-text.js';
import { formatMoment } from '../output/format-moment.js';
import { formatRows } from '../output/format-rows.js';
import { formatTable, type Cell } from '../output/format-table.js';
import type { Look } from '../output/look.js';

/** What is shown unless all of it is asked for. */
const FEW_RUNS = 20;

/** The running workers, and what each runs. */
export function showWorkers(workers: readonly LiveWorker[], isAll: boolean, look: Look): string {
  const head = ['WORKER', 'HOST', 'PID', 'VERSION', 'SINCE', 'SEEN', 'RUNS', 'QUEUES', 'STATE', 'TYPES'];
  const table = formatRows(head, workers, toRow, 'No worker is running. Start one: npx duework worker', look);
  const runs = workers.flatMap((worker) => worker.runs.map((run) => ({ ...run, worker: worker.name })));
  if (runs.length === 0) return table + showChanges(workers);
  const rows = runs
    .slice(0, isAll ? undefined : FEW_RUNS)
    .map(({ id, type, queue, attempt, claimedAt, worker }) => [
      id,
      type,
      queue,
      String(attempt),
      formatMoment(claimedAt),
      worker,
    ]);
  const listed = formatTable(['JOB', 'TYPE', 'QUEUE', 'ATTEMPT', 'SINCE', 'WORKER'], rows, '', look);
  const more = rows.length < runs.length ? `… and ${runs.length - rows.length} more: --all\n` : '';
  return `${table}${showChanges(workers)}\n${listed}${more}`;
}

/** `Each worker of mail runs 20 jobs at once, set … by …: why. Take it back: …` */
function showChanges(workers: readonly LiveWorker[]): string {
  const changes = new Map(workers.flatMap(({ changedSlots }) => changedSlots).map((change) => [change.queue, change]));
  return [...changes.values()]
    .map(
      ({ queue, slots, since, by, reason }) =>
        `Each worker of ${queue} runs at most ${slots} jobs at once, set ${formatMoment(since)}${by === null ? '' : ` by ${by}`}` +
        `${reason === null ? '' : ` (${cleanText(reason)})`}. Take it back: npx duework workers change ${queue} --take-back\n`,
    )
    .join('');
}

function stateOf({ state, shutBy, stalledMs }: Pick<LiveWorker, 'state' | 'shutBy' | 'stalledMs'>): Cell {
  switch (state) {
    case 'claims':
      return 'claims';
    case 'lost':
      return { text: 'gone, or cut off', style: 'red' };
    case 'stalled':
      return { text: `sends nothing for ${Math.round(stalledMs! / 1_000)} s`, style: 'red' };
    case 'silent':
      return { text: 'silent', style: 'yellow' };
    case 'shut':
      return { text: `waits for ${shutBy}`, style: 'yellow' };
  }
}

/** ` (10 declared)`, where an operator has changed it. */
const ofDeclared = ({ declaredSlots }: Pick<LiveWorker, 'declaredSlots'>, slots: number | null): string =>
  declaredSlots === null || declaredSlots === slots ? '' : ` (${declaredSlots} declared)`;

const toRow = ({ slots, held, types, ...worker }: LiveWorker): Cell[] => [
  worker.name,
  worker.host ?? '',
  String(worker.pid ?? ''),
  worker.codeVersion ?? '',
  formatMoment(worker.startedAt),
  formatMoment(worker.seenAt),
  `${held}${worker.isAtLeast ? '+' : ''} of ${slots ?? '?'}${ofDeclared(worker, slots)}`,
  worker.queues.join(', '),
  stateOf(worker),
  types
    .map(
      ({ type, oldestVersion, version }) => `${type}@${oldestVersion === version ? '' : `${oldestVersion}-`}${version}`,
    )
    .join(', '),
];

import type { LiveWorker } from '@duework/operate';
import type { Command } from 'commander';
import { formatMoment } from '../output/format-moment.js';
import { formatRows } from '../output/format-rows.js';
import { formatTable, type Cell } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { PRINTED } from '../option-words.js';

/** What is shown unless all of it is asked for. */
const FEW_RUNS = 20;

/** `duework workers` */
export function addWorkers(program: Command, { operations, look, write }: CommandParts): void {
  program
    .command('workers')
    .description('List the running workers: where they are, their version and types, how busy they are, what each runs')
    .option('--all', `show every running job of each, not only ${FEW_RUNS}`)
    .option(...PRINTED)
    .action(async ({ all, json }: { all?: true; json?: true }) => {
      const workers = await (await operations()).readWorkers();
      if (json) return write(`${JSON.stringify(workers, null, 2)}\n`);
      const head = ['WORKER', 'HOST', 'PID', 'VERSION', 'SINCE', 'SEEN', 'RUNS', 'QUEUES', 'STATE', 'TYPES'];
      write(formatRows(head, workers, toRow, 'No worker is running. Start one: npx duework worker', look));
      const runs = workers.flatMap((worker) => worker.runs.map((run) => ({ ...run, worker: worker.name })));
      if (runs.length === 0) return;
      const rows = runs
        .slice(0, all ? undefined : FEW_RUNS)
        .map(({ id, type, queue, attempt, claimedAt, worker }) => [
          id,
          type,
          queue,
          String(attempt),
          formatMoment(claimedAt),
          worker,
        ]);
      write(`\n${formatTable(['JOB', 'TYPE', 'QUEUE', 'ATTEMPT', 'SINCE', 'WORKER'], rows, '', look)}`);
      if (rows.length < runs.length) write(`… and ${runs.length - rows.length} more: --all\n`);
    });
}

function stateOf({ state, shutBy, stalledMs }: Pick<LiveWorker, 'state' | 'shutBy' | 'stalledMs'>): Cell {
  switch (state) {
    case 'claims':
      return 'claims';
    case 'lost':
      return { text: 'gone, or cut off', style: 'red' };
    case 'stalled':
      return { text: `renews nothing for ${Math.round(stalledMs! / 1_000)} s`, style: 'red' };
    case 'silent':
      return { text: 'silent', style: 'yellow' };
    case 'shut':
      return { text: `waits for ${shutBy}`, style: 'yellow' };
  }
}

const toRow = ({ slots, held, types, ...worker }: LiveWorker): Cell[] => [
  worker.name,
  worker.host ?? '',
  String(worker.pid ?? ''),
  worker.codeVersion ?? '',
  formatMoment(worker.startedAt),
  formatMoment(worker.seenAt),
  `${held}${worker.isAtLeast ? '+' : ''} of ${slots ?? '?'}`,
  worker.queues.join(', '),
  stateOf(worker),
  types
    .map(
      ({ type, oldestVersion, version }) => `${type}@${oldestVersion === version ? '' : `${oldestVersion}-`}${version}`,
    )
    .join(', '),
];

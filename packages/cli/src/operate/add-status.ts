import type { Alert, BulkAction, LiveWorker, QueueState, UnservedType } from '@duework/operate';
import type { Pause } from '@duework/queue-core';
import type { Command } from 'commander';
import { formatCount } from '../output/format-count.js';
import { formatFacts } from '../output/format-facts.js';
import { formatRows } from '../output/format-rows.js';
import { ofShard, type OfShard } from '../operations/of-shard.js';
import { showProgress } from '../bulk/show-bulk-action.js';
import { type Look, paint } from '../output/look.js';
import type { CommandParts } from '../program-parts.js';
import { QUEUE_COLUMNS, toQueueRow } from './queue-row.js';
import { cleanText } from '../output/clean-text.js';
import { formatMoment } from '../output/format-moment.js';
import { PRINTED } from '../option-words.js';

interface Overview {
  readonly place: string;
  readonly alerts: readonly OfShard<Alert>[];
  readonly workers: readonly OfShard<LiveWorker>[];
  readonly unserved: readonly OfShard<UnservedType>[];
  readonly dead: { readonly count: number; readonly isAtLeast: boolean };
  readonly queues: readonly OfShard<QueueState>[];
  readonly pauses: readonly OfShard<Pause>[];
  readonly bulkActions: readonly BulkAction[];
}

const DEAD_LATELY = 'status:dead since:24h';

/** `duework status` */
export function addStatus(program: Command, { operations, look, write }: CommandParts): void {
  program
    .command('status')
    .description(
      'Show what is wrong, what waits and runs in each queue, the workers, the pauses and recently dead jobs',
    )
    .option(...PRINTED)
    .action(async ({ json }: { json?: true }) => {
      const queue = await operations();
      const overview: Overview = {
        place: queue.place,
        alerts: (await queue.alerts.list()).alerts,
        workers: await queue.readWorkers(),
        unserved: await queue.readUnserved(),
        dead: await queue.countJobs(DEAD_LATELY),
        queues: await queue.readQueues(),
        pauses: await queue.listPauses(),
        bulkActions: (await queue.bulk.list(50)).filter(({ status }) => status === 'running'),
      };
      if (json) return write(`${JSON.stringify(overview, null, 2)}\n`);
      const { describeTroubles } = await import('../shown.js');
      write(showOverview(overview, describeTroubles(overview.queues, overview.workers, look), look));
    });
}

function showOverview(
  { place, alerts, workers, unserved, dead, queues, pauses, bulkActions }: Overview,
  troubles: readonly string[],
  look: Look,
): string {
  const facts = formatFacts(
    [
      ['place', place],
      ['workers', showWorkers(workers)],
      [
        'dead',
        dead.count === 0 ? 'none within a day' : `${formatCount(dead)} within a day: npx duework jobs ${DEAD_LATELY}`,
      ],
    ],
    look,
  );
  const stalled = workers.filter(({ state }) => state === 'stalled');
  const table = formatRows(QUEUE_COLUMNS, queues, toQueueRow, 'Nothing waits, runs or ran lately.', look);
  const lines = [
    ...alerts.map((alert) => paint(look, alert.severity === 'critical' ? 'red' : 'yellow', describeAlert(alert))),
    ...stalled.map((worker) => paint(look, 'red', describeStalled(worker))),
    ...troubles,
    ...unserved.map((jobs) => paint(look, 'red', describeUnserved(jobs))),
    ...pauses.map((pause) => paint(look, 'yellow', describePause(pause))),
    ...bulkActions.map((action) => `Bulk action ${action.id}, ${action.verb}: ${showProgress(action)}.`),
  ];
  return `${facts}\n${table}${lines.length === 0 ? '' : `\n${lines.join('\n')}\n`}`;
}

function showWorkers(workers: readonly LiveWorker[]): string {
  const live = workers.filter(({ state }) => state !== 'lost');
  const lost = workers.length === live.length ? '' : `; ${workers.length - live.length} lost`;
  if (live.length === 0) return `none: nothing runs${lost}`;
  const slots = live.reduce((sum, worker) => sum + (worker.slots ?? 0), 0);
  const held = live.reduce((sum, worker) => sum + worker.held, 0);
  return `${live.length}, with ${slots} slots; ${held} jobs are claimed${lost}`;
}

/** `Since 2026-11-27T…: 3 of 4 attempts of send_mail failed within 900 s. Find the jobs by …` */
const describeAlert = ({ shard, raisedAt, text, advice }: OfShard<Alert>): string =>
  cleanText(`Alert${ofShard(shard)} since ${formatMoment(raisedAt)}: ${text} ${advice}`);

const describeStalled = ({ shard, name, stalledMs, held }: OfShard<LiveWorker>): string =>
  cleanText(
    `The worker ${name}${ofShard(shard)} has ${held === 0 ? 'sent nothing' : `renewed none of its ${held} leases`} for ${Math.round((stalledMs ?? 0) / 1_000)} s: it was stopped, is frozen, or a handler blocks it.`,
  );

const NEEDED: Readonly<Record<UnservedType['missing'], string>> = {
  worker: 'a worker',
  type: 'a worker that runs the type',
  queue: 'a worker of the queue',
  version: 'a worker that knows the version',
};

function describeUnserved({ shard, queue, type, version, waiting, isAtLeast, missing }: OfShard<UnservedType>): string {
  const count = `${isAtLeast ? 'at least ' : ''}${waiting.toLocaleString('en-US')}`;
  return `Due, and no worker serves it: ${count} ${type} (version ${version}) in the queue ${queue}${ofShard(shard)}. Start ${NEEDED[missing]}.`;
}

/** `The queue mail is paused since … until … by …: reason` */
function describePause({ shard, kind, name, since, until, by, reason }: OfShard<Pause>): string {
  const end = until === null ? '' : ` until ${formatMoment(until)}`;
  const who = by === null ? '' : ` by ${by}`;
  return cleanText(
    `The ${kind} ${name}${ofShard(shard)} is paused since ${formatMoment(since)}${end}${who}${reason === null ? '.' : `: ${reason}`}`,
  );
}

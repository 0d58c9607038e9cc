import { type Command, Option } from 'commander';
import { createProgram, namesAmong, wholeNumber } from '../../kit/create-program.js';
import { faults } from './faults/index.js';
import type { ClientKind } from './observer/history-events.js';

const LONGEST_MINUTES = 600;
/** About as long as all faults take, one after the other. */
const WHOLE_MINUTES = 5;
const MAX_SEED = 4_294_967_295;
/** More turns than there is time for. */
const TURNS_PER_MINUTE = 60;
const names = faults.map(({ name }) => name);
const CLIENTS: Readonly<Record<GivenOptions['client'], readonly ClientKind[]>> = {
  pg: ['pg'],
  prisma: ['prisma'],
  both: ['pg', 'prisma'],
};

/** The command line as it was given. */
export interface GivenOptions {
  readonly minutes?: number;
  readonly seed?: number;
  readonly faults: readonly string[];
  readonly workers: number;
  readonly rate?: number;
  readonly client: 'pg' | 'prisma' | 'both';
  readonly replicas: string;
  /** Undefined: PgBouncer is used where it is installed. */
  readonly pgbouncer?: boolean;
  /** So many databases instead of one, with a list of faults and promises of its own. */
  readonly shards?: number;
  /** The dedicated queue instead of PostgreSQL, with a list of faults and promises of its own. */
  readonly queue: 'postgres' | 'bullmq';
  readonly quick: boolean;
  readonly soak: boolean;
  readonly keep: boolean;
}

/** The settings of a run of the lab. */
export interface Options {
  readonly given: GivenOptions;
  readonly isQuick: boolean;
  readonly isSoak: boolean;
  readonly seed: number;
  readonly faults: readonly string[];
  readonly workers: number;
  readonly perSecond: number;
  readonly clients: readonly ClientKind[];
  /** Standbys of the database, one of which confirms each commit. */
  readonly replicas: 0 | 2;
  /** Whether a worker is behind PgBouncer: always, where that is installed, or never. */
  readonly pooler: 'required' | 'found' | 'none';
  /** After this time no further fault begins; in a whole run, once each has been done. */
  readonly maxMs: number;
  /** Each fault is done at least once, so that every promise about one has to be judged. */
  readonly isWhole: boolean;
  /** The largest number of turns; the quick form does each fault once. */
  readonly turns: number;
  readonly isLoadMeasured: boolean;
  /** Whether two faults are sometimes done at once. */
  readonly isPaired: boolean;
  /** The least time from the beginning of one turn to that of the next. */
  readonly everyMs: number;
  /** The runs whose id is a multiple of it are watched in detail. */
  readonly sampleEvery: number;
  readonly gaugeMs: number;
  readonly diskMb: number;
}

/** The command line of `npm run break -- torture`. */
export const torture: Command = createProgram(
  'break torture',
  `Runs the product (a PostgreSQL of its own, workers, producers, tickers, an operator) while faults are done to it, one after the
other and now and then two at once; then lets it drain, and an observer judges the history of everything that was called and
answered. All of it happens on loopback. Exit code 1: a promise was broken, or was to be judged and was not.`,
)
  .option(
    '--minutes <n>',
    `how long faults come (10 unless given; from ${WHOLE_MINUTES} on at least until each has come once); then a minute or less for the rest`,
    wholeNumber(1, LONGEST_MINUTES),
  )
  .option(
    '--seed <n>',
    'which faults come in which order, and what everybody does; told at the start, so that a run can be repeated',
    wholeNumber(0, MAX_SEED),
  )
  .addOption(
    new Option('--faults <a,b>', `only these: ${names.join(', ')}`)
      .argParser(namesAmong(names))
      .default(names, 'all of them'),
  )
  .option('--workers <n>', 'worker processes', wholeNumber(2, 16), 3)
  .option('--rate <n>', 'jobs per second (150 unless given)', wholeNumber(1, 2_000))
  .addOption(
    new Option(
      '--client <kind>',
      "what the engines of the workers speak to the database with; both: half of them each, and a worker's successor the other one",
    )
      .choices(Object.keys(CLIENTS))
      .default('both'),
  )
  .addOption(
    new Option('--replicas <n>', 'standbys, one of which confirms each commit and takes over when the primary is gone')
      .choices(['0', '2'])
      .default('0'),
  )
  .option(
    '--pgbouncer',
    'the last worker must be behind PgBouncer, in transaction mode, which is installed from Debian for root; unless given it is where PgBouncer is installed',
  )
  .option('--no-pgbouncer', 'no worker is behind PgBouncer')
  .option(
    '--shards <n>',
    'several servers with one queue over them instead of one server: one after the other is hurt, and the others go on',
    wholeNumber(2, 5),
  )
  .addOption(
    new Option(
      '--queue <name>',
      'bullmq: the dedicated queue on one Redis and on a cluster, with promises and faults of its own',
    )
      .choices(['postgres', 'bullmq'])
      .default('postgres'),
  )
  .option('--quick', 'each fault once, at 60 jobs per second; figures are told and not judged', false)
  .option(
    '--soak',
    'an hour at 500 jobs per second with a fault each minute; every 20th run is looked at in detail',
    false,
  )
  .option('--keep', 'keeps the history (its folder is told)', false);

/** Turns the given options into settings. */
export function toOptions(given: GivenOptions): Options {
  const { quick: isQuick, soak: isSoak, pgbouncer } = given;
  const minutes = given.minutes ?? (isSoak ? 60 : 10);
  return {
    given,
    isQuick,
    isSoak,
    seed: given.seed ?? Math.floor(Math.random() * 1e9),
    faults: given.faults,
    workers: given.workers,
    perSecond: given.rate ?? (isQuick ? 60 : isSoak ? 500 : 150),
    clients: CLIENTS[given.client],
    replicas: given.replicas === '2' ? 2 : 0,
    pooler: pgbouncer === undefined ? 'found' : pgbouncer ? 'required' : 'none',
    maxMs: isQuick ? Infinity : minutes * 60_000,
    isWhole: isQuick || minutes >= WHOLE_MINUTES,
    turns: minutes * TURNS_PER_MINUTE,
    isLoadMeasured: !isQuick && !isSoak,
    isPaired: !isQuick && !isSoak,
    everyMs: isSoak ? 60_000 : 0,
    sampleEvery: isSoak ? 20 : 1,
    gaugeMs: isSoak ? 5_000 : 1_000,
    diskMb: isSoak ? 6_144 : 1_024,
  };
}

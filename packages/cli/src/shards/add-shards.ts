import { parseDatabaseUrl } from '@duework/database';
import { closeShard, countLiveJobs, foundShard, problemOf, readShard, type ShardUrls } from '@duework/shards';
import type { Transactable } from '@duework/queue-core';
import type { Command } from 'commander';
import { formatMoment } from '../output/format-moment.js';
import { formatTable, type Cell } from '../output/format-table.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';

const COLUMNS = ['SHARD', 'DATABASE', 'STATE', 'JOBS', 'FOUNDED'];

/** What is known of one shard; what is wrong with it is a sentence. */
interface Looked {
  readonly shard: string;
  readonly database: string;
  readonly state: 'open' | 'closed' | 'away' | 'not founded' | 'another shard';
  readonly liveJobs: number | null;
  readonly foundedAt: Date | null;
  readonly problem: string | null;
}

/** `duework shards` */
export function addShards(program: Command, parts: CommandParts): void {
  const { write, look, exitWith } = parts;
  const shards = program.command('shards').description('The databases of SHARDS, each with the jobs that live in it');
  const open = (name: string): Promise<Transactable> => parts.shardDb(name);
  const lookAtAll = async (): Promise<readonly Looked[]> => {
    const urls = requireShards(parts.shards());
    return Promise.all(Object.entries(urls).map(([name, url]) => lookAt(name, url, open)));
  };
  const show = (all: readonly Looked[], json: true | undefined): void => {
    if (json) return write(`${JSON.stringify(all, null, 2)}\n`);
    write(formatTable(COLUMNS, all.map(toRow), 'There is no shard.', look));
    for (const { shard, problem } of all) if (problem !== null) write(`${shard}: ${problem}\n`);
  };
  shards
    .command('list', { isDefault: true })
    .description('Each shard: where it is, whether it answers and takes new jobs, how many jobs wait or run in it')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: true }) => show(await lookAtAll(), json));
  shards
    .command('check')
    .description('As list; exit code 1 where a database is away, or is not the shard that SHARDS calls it')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: true }) => {
      const all = await lookAtAll();
      show(all, json);
      if (all.some(({ problem }) => problem !== null)) exitWith(1);
    });
  shards
    .command('found')
    .description('Makes the database that SHARDS calls so a shard of that name; its workers have to start anew')
    .argument('<name>', 'a letter, then letters, digits and _, in lower case, 16 at most: it stands before each id')
    .action(async (name: string) => {
      const { foundedAt } = await foundShard(await open(name), name);
      write(`The database is shard ${name} since ${formatMoment(foundedAt)}. Start its workers anew.\n`);
    });
  for (const [verb, isClosed] of [
    ['close', true],
    ['open', false],
  ] as const)
    shards
      .command(verb)
      .description(
        isClosed
          ? 'Sends it no job any more that any shard would do for; its own jobs go on, and so does what asks for it'
          : 'Takes such jobs again',
      )
      .argument('<name>')
      .action(async (name: string) => {
        const shard = await closeShard(await open(name), isClosed);
        if (shard === null) throw notFounded(name);
        write(
          isClosed ? `Shard ${name} is closed. Empty: duework shards drained ${name}\n` : `Shard ${name} is open.\n`,
        );
      });
  shards
    .command('drained')
    .description('Whether a closed shard has no job left that waits or runs; exit code 1: it has, or is open')
    .argument('<name>')
    .action(async (name: string) => {
      const db = await open(name);
      const shard = await readShard(db);
      if (shard === null) throw notFounded(name);
      const live = await countLiveJobs(db);
      if (shard.closedAt === null || live > 0) exitWith(1);
      const state = shard.closedAt === null ? 'is open' : 'is closed';
      write(`Shard ${name} ${state}, and ${live === 0 ? 'no job waits or runs' : `${live} jobs wait or run`} there.\n`);
    });
}

function requireShards(urls: ShardUrls | undefined): ShardUrls {
  if (urls !== undefined) return urls;
  throw new PlainError(
    'shards_missing',
    "SHARDS is not set: names and URLs with blanks between them, such as SHARDS='a=postgres://… b=postgres://…'.",
  );
}

const notFounded = (name: string): PlainError =>
  new PlainError('shard_not_founded', `The database of ${name} is not a shard yet: npx duework shards found ${name}`);

async function lookAt(shard: string, url: string, open: (name: string) => Promise<Transactable>): Promise<Looked> {
  const looked = { shard, database: parseDatabaseUrl(url).label, liveJobs: null, foundedAt: null };
  try {
    const db = await open(shard);
    const [row, liveJobs] = [await readShard(db), await countLiveJobs(db)];
    if (row === null)
      return {
        ...looked,
        liveJobs,
        state: 'not founded',
        problem: `it is not a shard yet: npx duework shards found ${shard}`,
      };
    const known = { ...looked, liveJobs, foundedAt: row.foundedAt };
    if (row.name !== shard)
      return { ...known, state: 'another shard', problem: `its database is shard ${row.name}: correct SHARDS` };
    return { ...known, state: row.closedAt === null ? 'open' : 'closed', problem: null };
  } catch (error) {
    return { ...looked, state: 'away', problem: problemOf(shard, error).message };
  }
}

const toRow = ({ shard, database, state, liveJobs, foundedAt }: Looked): Cell[] => [
  shard,
  database,
  { text: state, style: state === 'open' ? 'green' : state === 'closed' ? 'yellow' : 'red' },
  liveJobs === null ? '' : String(liveJobs),
  foundedAt === null ? '' : formatMoment(foundedAt),
];

import { parseDatabaseUrl } from '@duework/database';
import { closeShard, countLiveJobs, foundShard, problemOf, readShard, type ShardUrls } from '@duework/shards';
import type { Transactable } from '@duework/queue-core';
import type { Command } from 'commander';
import { formatMoment } from '../output/format-moment.js';
import { formatTable, type Cell } from '../output/format-table.js';
import { FINDING } from '../exit-codes.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { PRINTED } from '../option-words.js';

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
  const shards = program.command('shards').description('Show and manage the databases of SHARDS');
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
    .description('List the shards: where each is, whether it answers and takes new jobs, how many jobs are live')
    .option(...PRINTED)
    .action(async ({ json }: { json?: true }) => show(await lookAtAll(), json));
  shards
    .command('check')
    .description('List the shards; exit code 3: a database is away, or is not the shard that SHARDS calls it')
    .option(...PRINTED)
    .action(async ({ json }: { json?: true }) => {
      const all = await lookAtAll();
      show(all, json);
      if (all.some(({ problem }) => problem !== null)) exitWith(FINDING);
    });
  shards
    .command('found')
    .description('Make the database that SHARDS gives this name a shard; restart its workers then')
    .argument('<name>', 'a name of SHARDS: a small letter, then small letters, digits and _, at most 16')
    .action(async (name: string) => {
      const { foundedAt } = await foundShard(await open(name), name);
      write(`The database is shard ${name} since ${formatMoment(foundedAt)}. Restart its workers.\n`);
    });
  for (const [verb, isClosed] of [
    ['close', true],
    ['open', false],
  ] as const)
    shards
      .command(verb)
      .description(
        isClosed
          ? 'Send it no more jobs that may run in any shard; its own jobs, and jobs for it, go on'
          : 'Let it take such jobs again',
      )
      .argument('<name>')
      .action(async (name: string) => {
        const shard = await closeShard(await open(name), isClosed);
        if (shard === null) throw notFounded(name);
        write(
          isClosed
            ? `Shard ${name} is closed. Check that it is empty: npx duework shards drained ${name}\n`
            : `Shard ${name} is open.\n`,
        );
      });
  shards
    .command('drained')
    .description('Check that a closed shard has no live job left; exit code 3: it has, or is open')
    .argument('<name>')
    .action(async (name: string) => {
      const db = await open(name);
      const shard = await readShard(db);
      if (shard === null) throw notFounded(name);
      const live = await countLiveJobs(db);
      if (shard.closedAt === null || live > 0) exitWith(FINDING);
      const state = shard.closedAt === null ? 'is open' : 'is closed';
      write(`Shard ${name} ${state}, and ${live === 0 ? 'no job waits or runs' : `${live} jobs wait or run`} there.\n`);
    });
}

function requireShards(urls: ShardUrls | undefined): ShardUrls {
  if (urls !== undefined) return urls;
  throw new PlainError(
    'shards_missing',
    "SHARDS is not set: write names and URLs separated by spaces, such as SHARDS='a=postgres://… b=postgres://…'.",
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

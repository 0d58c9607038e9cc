import { Command } from 'commander';
import { addAlerts } from './alerts/add-alerts.js';
import { addDev } from './dev/add-dev.js';
import { addEnqueue } from './jobs/add-enqueue.js';
import { addJobVerbs } from './jobs/add-job-verbs.js';
import { addJobs } from './jobs/add-jobs.js';
import { addUpdate } from './jobs/add-update.js';
import { addMigrate } from './migrate/add-migrate.js';
import { addRoles } from './roles/add-roles.js';
import { addWorker } from './worker/add-worker.js';
import { addInit } from './init/add-init.js';
import { addContracts } from './contracts/add-contracts.js';
import { addCompletion } from './completion/add-completion.js';
import { addBulk } from './bulk/add-bulk.js';
import { addBatches } from './batches/add-batches.js';
import { addFlow } from './flow/add-flow.js';
import { addKeys } from './keys/add-keys.js';
import { addTail } from './jobs/add-tail.js';
import { addMove } from './move/add-move.js';
import { addAudit } from './operate/add-audit.js';
import { addDoctor } from './operate/add-doctor.js';
import { addOrigin } from './operate/add-origin.js';
import { addPause } from './operate/add-pause.js';
import { addReencrypt } from './operate/add-reencrypt.js';
import { addStatus } from './operate/add-status.js';
import { addWorkers } from './operate/add-workers.js';
import type { Transactable } from '@duework/queue-core';
import type { ShardUrls } from '@duework/shards';
import { PlainError } from './plain-error.js';
import { addShards } from './shards/add-shards.js';
import type { Operations } from './operations/operations.js';
import type { CommandParts, ProgramParts } from './program-parts.js';
import { addList } from './schedules/add-list.js';
import { addPreview } from './schedules/add-preview.js';
import { addSlots } from './schedules/add-slots.js';
import { addVerbs } from './schedules/add-verbs.js';

/** The command line; the caller prints the errors that a command throws. */
export function createProgram(given: ProgramParts): Command {
  const program = new Command('duework')
    .description('Durable jobs in the PostgreSQL you already have. The database is that of DATABASE_URL.')
    .option('--jobs <module>', 'the module that exports catalog; else "duework.jobs" of the nearest package.json')
    .option('--shard <name>', 'that database of SHARDS alone; else all of them where SHARDS is set')
    .option('--api <url>', 'ask the API there, and no database; else DUEWORK_API_URL')
    .option(
      '--api-key <key>',
      'a key of that API; better in DUEWORK_API_KEY, because others see the arguments of programs',
    )
    .version(given.version)
    .configureOutput({ writeOut: given.write })
    .showHelpAfterError('(see --help)');
  const jobsFile = (module?: string): string => given.findJobs(module ?? program.opts<{ jobs?: string }>().jobs);
  const jobs: CommandParts['jobs'] = async (module) => given.loadJobs(jobsFile(module));
  const api = (): ReturnType<ProgramParts['api']> => {
    const { api: url, apiKey: key } = program.opts<{ api?: string; apiKey?: string }>();
    return { url: url ?? given.api().url, key: key ?? given.api().key };
  };
  let opened: Promise<Operations> | undefined;
  // only what is asked is loaded
  const operations = async (): Promise<Operations> => {
    const { url, key } = api();
    if (url !== undefined && shard() !== undefined)
      throw new PlainError('invalid_option', '--shard is one of SHARDS; an API that is asked has shards of its own.');
    return (opened ??= url !== undefined ? openApi(url, key) : openDatabases());
  };
  const shard = (): string | undefined => program.opts<{ shard?: string }>().shard;
  const urls = (): ShardUrls | undefined => given.shards();
  /** One database: of --shard, or of DATABASE_URL where there are no shards. */
  const oneDb = (open: () => Promise<Transactable>): (() => Promise<Transactable>) => {
    return async () => {
      const name = shard();
      if (name !== undefined) return given.shardDb(name);
      if (urls() === undefined) return open();
      throw new PlainError(
        'shard_not_given',
        `SHARDS is set, and this is about one shard: add --shard with one of ${Object.keys(urls()!).join(', ')}.`,
      );
    };
  };
  const databaseUrl: ProgramParts['databaseUrl'] = (dir) => {
    const name = shard();
    return name === undefined ? given.databaseUrl(dir) : urls()?.[name];
  };
  const [db, anyDb] = [oneDb(given.db), oneDb(given.anyDb)];
  const openApi = async (url: string, key: string | undefined): Promise<Operations> => {
    const [{ overHttp }, { tellMissing }] = await Promise.all([
      import('./operations/over-http.js'),
      import('./operations/tell-missing.js'),
    ]);
    return overHttp({ url, key }, tellMissing(given));
  };
  const openDatabases = async (): Promise<Operations> => {
    const { onDatabase } = await import('./operations/on-database.js');
    const all = shard() === undefined ? urls() : undefined;
    if (all === undefined) return onDatabase({ ...given, db, anyDb, databaseUrl, jobs });
    const of = (name: string): Operations => {
      const open = (): Promise<Transactable> => given.shardDb(name);
      return onDatabase({ ...given, db: open, anyDb: open, databaseUrl: () => all[name], jobs });
    };
    const { onShards } = await import('./operations/shards/on-shards.js');
    return onShards({
      names: Object.keys(all),
      of,
      db: given.shardDb,
      jobs,
      progress: given.progress,
      exitWith: given.exitWith,
    });
  };
  const isOnApi = (): boolean => api().url !== undefined;
  const parts: CommandParts = { ...given, db, anyDb, databaseUrl, jobsFile, jobs, operations, isOnApi, shard };
  addInit(program, parts);
  addDev(program, parts);
  addWorker(program, parts);
  addMigrate(program, parts);
  addRoles(program, parts);
  addStatus(program, parts);
  addWorkers(program, parts);
  addEnqueue(program, parts);
  addJobs(program, parts);
  addTail(program, parts);
  addJobVerbs(program, parts);
  addUpdate(program, parts);
  addBulk(program, parts);
  addPause(program, parts);
  addBatches(program, parts);
  addFlow(program, parts);
  addAlerts(program, parts);
  addList(program, parts);
  addSlots(program, parts);
  addPreview(program, parts);
  addVerbs(program, parts);
  addKeys(program, parts);
  addMove(program, parts);
  addShards(program, parts);
  addAudit(program, parts);
  addReencrypt(program, parts);
  addDoctor(program, parts);
  addOrigin(program, parts);
  addCompletion(program, parts);
  addContracts(program, { ...parts, catalog: async () => (await parts.jobs()).catalog });
  return program;
}

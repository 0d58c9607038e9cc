import { Command } from 'commander';
import { addAlerts } from './alerts/add-alerts.js';
import { addDev } from './dev/add-dev.js';
import { addEnqueue } from './jobs/add-enqueue.js';
import { addJobVerbs } from './jobs/add-job-verbs.js';
import { addJobs } from './jobs/add-jobs.js';
import { addUpdate } from './jobs/add-update.js';
import { addMigrate } from './migrate/add-migrate.js';
import { addRemove } from './migrate/add-remove.js';
import { addRoles } from './roles/add-roles.js';
import { addWorker } from './worker/add-worker.js';
import { addInit } from './init/add-init.js';
import { addContracts } from './contracts/add-contracts.js';
import { addCompletion } from './completion/add-completion.js';
import { addBulk } from './bulk/add-bulk.js';
import { addBatches } from './batches/add-batches.js';
import { addEvents } from './events/add-events.js';
import { addFlow } from './flow/add-flow.js';
import { addEffects } from './operate/add-effects.js';
import { addFailures } from './operate/add-failures.js';
import { addWorkflows } from './operate/add-workflows.js';
import { addKeys } from './keys/add-keys.js';
import { addTail } from './jobs/add-tail.js';
import { addMove } from './move/add-move.js';
import { addAudit } from './operate/add-audit.js';
import { addDoctor } from './operate/add-doctor.js';
import { addIndexes } from './operate/add-indexes.js';
import { addOrigin } from './operate/add-origin.js';
import { addPause } from './operate/add-pause.js';
import { addReencrypt } from './operate/add-reencrypt.js';
import { addStatus } from './operate/add-status.js';
import { addWorkers } from './operate/add-workers.js';
import type { Transactable } from '@duework/queue-core';
import type { ShardUrls } from '@duework/shards';
import { DOCS } from './docs.js';
import { PlainError } from './plain-error.js';
import { addShards } from './shards/add-shards.js';
import type { Operations } from './operations/operations.js';
import type { CommandParts, ProgramParts } from './program-parts.js';
import { addPreview } from './schedules/add-preview.js';
import { addSchedules } from './schedules/add-schedules.js';

const EXAMPLES = `
Examples:
  $ npx duework jobs status:dead since:1h
  $ npx duework explain 42
  $ npx duework retry 42
  $ npx duework enqueue send_invoice '{"orderId":812}' --wait
  $ npx duework schedules due-times cleanup_nightly --since yesterday
  $ npx duework doctor

Each command has --help. Documentation: ${DOCS}/README.md`;

/** The command line; the caller prints the errors that a command throws. Commander has printed its own: a CommanderError. */
export function createProgram(given: ProgramParts): Command {
  const program = new Command('duework')
    .description('Run and operate durable jobs in PostgreSQL, in the database of DATABASE_URL.')
    .option('--jobs <module>', 'the module that exports catalog (default: "duework.jobs" of the nearest package.json)')
    .option('--shard <name>', 'use only this database of SHARDS (default: all of them)')
    .option('--api <url>', 'use this API and no database (default: DUEWORK_API_URL)')
    .option('--api-key <key>', 'the key for that API; DUEWORK_API_KEY is safer, because others see arguments')
    .version(given.version)
    .configureOutput({ writeOut: given.write })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
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
      throw new PlainError(
        'invalid_option',
        '--shard cannot be used with an API, which has its own shards. Leave one of them out.',
      );
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
        `SHARDS is set, but this command needs one shard: add --shard with one of ${Object.keys(urls()!).join(', ')}.`,
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
  program.commandsGroup('Get started:');
  addInit(program, parts);
  addDev(program, parts);
  addWorker(program, parts);
  program.commandsGroup('Jobs:');
  addEnqueue(program, parts);
  addJobs(program, parts);
  addTail(program, parts);
  addJobVerbs(program, parts);
  addUpdate(program, parts);
  addBulk(program, parts);
  addBatches(program, parts);
  program.commandsGroup('Schedules:');
  addSchedules(program, parts);
  // what somebody asks who has no schedule yet
  addPreview(program, parts);
  program.commandsGroup('Operate:');
  addStatus(program, parts);
  addFailures(program, parts);
  addEffects(program, parts);
  addWorkflows(program, parts);
  addWorkers(program, parts);
  addPause(program, parts);
  addEvents(program, parts);
  addFlow(program, parts);
  addAlerts(program, parts);
  addKeys(program, parts);
  addAudit(program, parts);
  addDoctor(program, parts);
  addIndexes(program, parts);
  program.commandsGroup('Deploy:');
  addMigrate(program, parts);
  addContracts(program, { ...parts, catalog: async () => (await parts.jobs()).catalog });
  addRoles(program, parts);
  addShards(program, parts);
  addReencrypt(program, parts);
  addOrigin(program, parts);
  addMove(program, parts);
  addRemove(program, parts);
  program.commandsGroup('Other:').helpCommand('help [command]', 'Show the help of a command');
  addCompletion(program, parts);
  return program;
}

import { Command } from 'commander';
import { addDev } from './dev/add-dev.js';
import { addEnqueue } from './jobs/add-enqueue.js';
import { addJobVerbs } from './jobs/add-job-verbs.js';
import { addJobs } from './jobs/add-jobs.js';
import { addUpdate } from './jobs/add-update.js';
import { addMigrate } from './migrate/add-migrate.js';
import { addWorker } from './worker/add-worker.js';
import { addInit } from './init/add-init.js';
import { addContracts } from './contracts/add-contracts.js';
import { addCompletion } from './completion/add-completion.js';
import { addBulk } from './bulk/add-bulk.js';
import { addBatches } from './batches/add-batches.js';
import { addFlow } from './flow/add-flow.js';
import { addKeys } from './keys/add-keys.js';
import { addTail } from './jobs/add-tail.js';
import { addAudit } from './operate/add-audit.js';
import { addDoctor } from './operate/add-doctor.js';
import { addPause } from './operate/add-pause.js';
import { addReencrypt } from './operate/add-reencrypt.js';
import { addStatus } from './operate/add-status.js';
import { addWorkers } from './operate/add-workers.js';
import { onDatabase } from './operations/on-database.js';
import type { Operations } from './operations/operations.js';
import { overHttp } from './operations/over-http.js';
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
  let opened: Operations | undefined;
  const operations = (): Operations => {
    const { url, key } = api();
    return (opened ??= url === undefined ? onDatabase({ ...given, jobs }) : overHttp({ url, key }));
  };
  const isOnApi = (): boolean => api().url !== undefined;
  const parts: CommandParts = { ...given, jobsFile, jobs, operations, isOnApi };
  addInit(program, parts);
  addDev(program, parts);
  addWorker(program, parts);
  addMigrate(program, parts);
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
  addList(program, parts);
  addSlots(program, parts);
  addPreview(program, parts);
  addVerbs(program, parts);
  addKeys(program, parts);
  addAudit(program, parts);
  addReencrypt(program, parts);
  addDoctor(program, parts);
  addCompletion(program, parts);
  addContracts(program, { ...parts, catalog: async () => (await parts.jobs()).catalog });
  return program;
}

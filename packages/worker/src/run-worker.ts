import { basename } from 'node:path';
import type { Catalog } from '@duework/contracts';
import { HandlersError } from '@duework/queue-core';
import { setOffload } from '@duework/queue-core/internals';
import { loadMailer } from './alerts/load-mailer.js';
import { readClock } from './clock.js';
import { createLog } from './logs/create-log.js';
import { createRuntime } from './create-runtime.js';
import { checkNames } from './settings/check-names.js';
import { readSettings } from './settings/env.js';
import { handleSignals } from './handle-signals.js';
import { leaveRegistry, loadMetrics } from './metrics/load-metrics.js';
import type { Settings } from './settings/settings.js';
import { OptionsError } from './settings/options-error.js';
import { help, readArguments } from './settings/read-arguments.js';
import type { RunWorkerOptions } from './run-worker-options.js';
import { completeLog } from './logs/worker-log.js';
import { writeToStdout } from './logs/write-to-stdout.js';
import { loadRedis } from './work-on/load-redis.js';
import { workOnDatabase } from './work-on/work-on-database.js';

/** How long the program may go on after its worker has ended; then the process ends, whatever is left open. */
const LEAVE_MS = 2_000;

/**
 * Runs the jobs of a catalog until it is stopped, and resolves with the exit code. It does all that a worker in
 * production needs: variables, signals, drain, probes and metrics, log lines, schedules, leases, chores and alerts.
 *
 * Unless `handleSignals` is false, the process is the worker's own: SIGTERM and SIGINT stop it, an error at the start
 * is one line on stderr, `process.exitCode` is set, and the process ends at most 2 s after this resolves: close your
 * own connections in that time.
 *
 * Exit codes: 0 stopped as asked; 1 could not start, stopped because of a fault, or was stuck while it stopped; 2 the
 * environment, the arguments or the options are wrong; 143 and 130 cut short by a second SIGTERM or SIGINT; 5 the
 * database was dropped and made anew; with `once`, 3 and 4 as in `--help`.
 *
 * @throws with `handleSignals: false` only: `OptionsError`, `HandlersError`, `DatabaseError` or `DueworkError`
 */
export async function runWorker<TCatalog extends Catalog, TAdded extends object = object>(
  options: RunWorkerOptions<TCatalog, TAdded>,
): Promise<number> {
  if (options.handleSignals === false) return run(options, false);
  try {
    return leave(await run(options, true));
  } catch (error) {
    const isWrong = error instanceof OptionsError || error instanceof HandlersError;
    process.stderr.write(`${isCoded(error) ? error.message : inFull(error)}\n`);
    return leave(isWrong ? 2 : 1);
  }
}

async function run<TCatalog extends Catalog, TAdded extends object>(
  given: RunWorkerOptions<TCatalog, TAdded>,
  isOwnProcess: boolean,
): Promise<number> {
  const { once, isHelpWanted } = readArguments(given.argv ?? (isOwnProcess ? process.argv.slice(2) : []), given.once);
  if (isHelpWanted) {
    writeToStdout(help(`node ${basename(process.argv[1] ?? 'worker.js')}`));
    return 0;
  }
  checkNames(given as unknown as RunWorkerOptions<Catalog>);
  const settings = readSettings(given, given.catalog);
  checkOptions(given, settings);
  if (given.offload !== undefined) setOffload(given.offload);
  const facts = { worker: settings.workerName };
  const log =
    given.log === undefined
      ? createLog({
          level: settings.logLevel,
          facts: { app: 'worker', ...facts },
          write: writeToStdout,
          now: readClock,
        })
      : completeLog(given.log, facts);
  const metrics = await loadMetrics(given.registry);
  const mailer = await loadMailer(settings);
  const redis = await loadRedis(settings);
  const isPlain = settings.shards === undefined && redis === null;
  const engines = isPlain ? null : await import('./create-engines-runtime.js');
  const onStuck = (): void => {
    if (isOwnProcess) process.exit(1);
  };
  // nothing is awaited from here to the listener
  if (given.signal?.aborted) return 0;
  const parts = { given, settings, log, metrics, mailer, once, onStuck };
  const runtime =
    engines === null
      ? createRuntime({ ...parts, shard: null }, workOnDatabase)
      : engines.createEnginesRuntime(parts, redis);
  if (isOwnProcess) handleSignals(runtime, log);
  const stop = (): void => runtime.stop(0);
  given.signal?.addEventListener('abort', stop, { once: true });
  try {
    // a start that hangs does not keep a worker that was stopped from ending
    await Promise.race([runtime.start(), runtime.ended]);
    return await runtime.ended;
  } finally {
    given.signal?.removeEventListener('abort', stop);
    if (metrics !== null && given.registry !== undefined) leaveRegistry(metrics);
  }
}

/** A client and a registry are those of one database, schedules are kept in one, and there is something to run. */
function checkOptions(
  {
    catalog,
    prisma,
    registry,
    schedules,
  }: Pick<RunWorkerOptions<Catalog>, 'catalog' | 'prisma' | 'registry' | 'schedules'>,
  { shards, shard, dueworkRedisUrl, databaseUrl, labels }: Settings,
): void {
  const areSeveral = shards !== undefined && shard === undefined;
  const wrong: string[] = [];
  if (areSeveral && prisma !== undefined)
    wrong.push('prisma goes with one database: set SHARD to the shard that this worker serves');
  if (areSeveral && registry !== undefined)
    wrong.push('registry goes with one database: set SHARD to the shard that this worker serves');
  if (dueworkRedisUrl !== undefined && registry !== undefined)
    wrong.push('registry goes with one engine: a worker with DUEWORK_REDIS_URL shows the metrics of each by itself');
  if (databaseUrl === undefined && schedules !== undefined)
    wrong.push('schedules are kept in PostgreSQL: set DATABASE_URL, too, or leave them out');
  if (databaseUrl === undefined && prisma !== undefined) wrong.push('prisma goes with DATABASE_URL');
  const missing = catalog.flatMap((contract) => contract.labels.filter((label) => !labels.includes(label)).slice(0, 1));
  if (missing.length === catalog.length && catalog.length > 0)
    wrong.push(`LABELS must name ${missing[0]}: each type of the catalog needs a label that this worker has not`);
  if (wrong.length > 0) throw new OptionsError(wrong);
}

/** Sets the exit code, and sees that the process ends although something of the caller's was left open. */
function leave(code: number): number {
  process.exitCode = code;
  setTimeout(() => process.exit(), LEAVE_MS).unref();
  return code;
}

/** An error that says in one line what is wrong and what to do. */
function isCoded(error: unknown): error is Error {
  return error instanceof Error && error.name !== 'Error' && typeof (error as { code?: unknown }).code === 'string';
}

function inFull(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

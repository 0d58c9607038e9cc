import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from 'pg';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { onEnd } from '../../../kit/clean-up.js';
import { openClient } from '../../../kit/open-client.js';
import { runCommand } from '../../../kit/run-command.js';
import { waitUntil } from '../../../kit/wait-until.js';
import { withLimit } from '../../../kit/with-limit.js';
import type { Runtime } from './runtimes.js';

const COMMAND = 'node_modules/duework/dist/command.js';
const DEADLINE_MS = 1_000;
/** From the deadline to the end of the process. */
const STOP_MS = 3_000;

/** What each job has to come to; the worker of tools/consumers/runtimes runs them. */
const ENDS: Readonly<Record<string, string>> = {
  send_receipt: 'succeeded of 1',
  render_report: 'succeeded of 1',
  convert_image: 'succeeded of 1',
  take_memory: 'dead of 1: memory_limit_exceeded',
  compute_for_ever: 'dead of 1: timeout',
};

/**
 * Uses the packages of a folder on one runtime: the command, an enqueue in transactions of pg and of Prisma, a worker whose
 * jobs outlive their leases, compute without end or are killed, its stop, and its end after an error outside of its jobs.
 *
 * @param dir the project, with the runtime
 * @param url an empty database
 * @throws PlainError that says what went otherwise
 */
export async function proveRuntime({ name, program, args, thrown }: Runtime, dir: string, url: string): Promise<void> {
  const path = join(dir, 'node_modules', name, program);
  const env = { DATABASE_URL: url, SHUTDOWN_DEADLINE_MS: String(DEADLINE_MS), DENO_NO_UPDATE_CHECK: '1' };
  const run = (...given: string[]): Promise<string> => runCommand(path, [...args, ...given], { cwd: dir, env });
  expectIn(await run(COMMAND, '--help'), 'Usage: duework');
  expectIn(await run(COMMAND, 'migrate'), 'up to date');

  const db = await openClient(url);
  const ended = (types: string[], ends: Readonly<Record<string, string>>): Promise<unknown> =>
    waitUntil(`${types.join(', ')} came to nothing`, async () => {
      const found = await readEnds(db, types);
      return found.length === types.length && found.every(({ type, end }) => expectEqual(type, end, ends[type]!));
    });
  const workers: StartedWorker[] = [];
  const start = (): StartedWorker => {
    workers.push(startWorker(path, [...args, 'worker.mjs'], dir, env));
    return workers.at(-1)!;
  };
  try {
    const types = Object.keys(ENDS);
    await run('enqueue.mjs', ...types);
    const worker = start();
    await worker.orFailed(ended(types, ENDS));
    const isListed = async (): Promise<boolean> => (await run(COMMAND, 'status')).includes('workers  1, with');
    await worker.orFailed(waitUntil('status did not list the worker', isListed));
    await run('enqueue-prisma.mjs');
    await run('enqueue.mjs', 'wait_for_ever');
    await worker.orFailed(waitUntil('wait_for_ever did not begin', () => isRunning(db, 'wait_for_ever')));
    const begunMs = performance.now();
    expectEqual('SIGTERM', await worker.stop(), 'exit code 0');
    if (performance.now() - begunMs > DEADLINE_MS + STOP_MS) throw new PlainError('The stop took too long.');
    await ended(['wait_for_ever'], { wait_for_ever: 'queued of 0' });
    expectEqual('Prisma', (await readEnds(db, ['send_receipt'])).length, 2);
    for (const [way, code] of Object.entries(thrown)) {
      const type = `throw_in_${way}`;
      await run('enqueue.mjs', type);
      expectEqual(type, await start().end(), 'exit code 1');
      await ended([type], { [type]: `dead of 1: ${code}` });
    }
  } finally {
    for (const worker of workers) worker.kill();
    await db.end();
  }
}

function expectEqual(what: string, found: unknown, wanted: unknown): true {
  if (found !== wanted) throw new PlainError(`${what}: ${String(found)} instead of ${String(wanted)}`);
  return true;
}

function expectIn(text: string, part: string): void {
  if (!text.includes(part)) throw new PlainError(`${text}\nIt does not say "${part}".`);
}

/** Jobs of these types that have come to something, in words. */
async function readEnds(db: Client, types: string[]): Promise<{ type: string; end: string }[]> {
  const { rows } = await db.query<{ type: string; end: string }>(
    `SELECT job_type AS type, status || ' of ' || attempts || coalesce(': ' || error_code, '') AS end
     FROM duework.jobs
     WHERE job_type = ANY($1) AND status <> 'running' AND (status <> 'queued' OR job_type = 'wait_for_ever')`,
    [types],
  );
  return rows;
}

async function isRunning(db: Client, type: string): Promise<boolean> {
  const { rowCount } = await db.query(`SELECT FROM duework.jobs WHERE job_type = $1 AND status = 'running'`, [type]);
  return rowCount === 1;
}

interface StartedWorker {
  /** Resolves with how it ended by itself. */
  end(): Promise<string>;
  stop(): Promise<string>;
  kill(): void;
  /** The same, unless the worker ends before. */
  orFailed<T>(work: Promise<T>): Promise<T>;
}

function startWorker(program: string, args: string[], cwd: string, env: Record<string, string>): StartedWorker {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME, ...env } });
  const forget = onEnd(() => child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const closed = once(child, 'close').then(([code, signal]) => {
    forget();
    return code === null ? String(signal) : `exit code ${code}`;
  });
  return {
    end: () => withLimit(closed, 30_000, `${said}\nThe worker did not end`),
    stop() {
      child.kill('SIGTERM');
      return this.end();
    },
    kill: forget,
    async orFailed(work) {
      const failed = closed.then((how) => Promise.reject(new PlainError(`${said}\nThe worker ended: ${how}.`)));
      failed.catch(() => {});
      try {
        return await Promise.race([work, failed]);
      } catch (error) {
        throw new PlainError(`${said}\n${(error as Error).message}`);
      }
    },
  };
}

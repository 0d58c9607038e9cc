import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { onEnd } from '../../../kit/clean-up.js';
import { findFreePort } from '../../../kit/find-free-port.js';
import { runCommand } from '../../../kit/run-command.js';
import { waitUntilReady } from '../../../kit/wait-until-ready.js';
import { withLimit } from '../../../kit/with-limit.js';
import type { Image } from './build-image.js';

const STOP_MS = 25_000;
/** An address of the machine that a worker on 127.0.0.1 does not answer; only Linux has it without being told. */
const OUTSIDE = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';

/** Runs a program in a container of the image. */
export type RunInside = (command: string, ...args: string[]) => Promise<string>;

/**
 * Uses an image as the page says: migrates, starts its command, asks its probes, has jobs done, and stops it by SIGTERM.
 *
 * @param haveJobsDone is called beside the running worker
 * @throws PlainError with what it has printed, for the first thing that does not happen
 */
export async function proveImage(
  image: Image,
  databaseUrl: string,
  haveJobsDone: (run: RunInside) => Promise<unknown>,
): Promise<void> {
  if (image.user === undefined || image.user === 'root') throw new PlainError('The image runs as root.');
  const { PATH = '', HOME = '' } = process.env;
  const port = String(await findFreePort());
  const env = { ...image.env, DATABASE_URL: databaseUrl, WORKER_PORT: port };
  const run: RunInside = (command, ...args) => runCommand(command, args, { cwd: image.workdir, env });
  await run('node_modules/.bin/duework', 'migrate');

  const [program, ...args] = image.command;
  const child = spawn(program!, args, {
    cwd: image.workdir,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const forget = onEnd(() => child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  try {
    const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
    await waitUntilReady('worker of the image', `http://${OUTSIDE}:${port}/readyz`, hasEnded);
    await run(image.healthcheck[0]!, ...image.healthcheck.slice(1));
    await haveJobsDone(run);
    child.kill('SIGTERM');
    const [code, signal] = await withLimit(closed, STOP_MS, 'the worker of the image has not stopped on SIGTERM');
    if (code !== 0) throw new PlainError(`The worker of the image ended with ${code ?? signal} on SIGTERM.`);
  } catch (error) {
    throw new PlainError(`${said}\n${(error as Error).message}`);
  } finally {
    child.kill('SIGKILL');
    forget();
  }
}

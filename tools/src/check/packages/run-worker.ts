import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { onEnd } from '../../kit/clean-up.js';
import { withLimit } from '../../kit/with-limit.js';

const DONE_MS = 30_000;
type Env = Readonly<Record<string, string>>;

/** Resolves with the lines about jobs that a worker has printed, once it has stopped by itself after the first job. */
export async function runWorker(file: string, cwd: string, env: Env): Promise<string[]> {
  const child = spawn(process.execPath, [file], { cwd, env: { PATH: process.env.PATH, ...env } });
  const forget = onEnd(() => child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    const [code] = (await withLimit(once(child, 'close'), DONE_MS, `${file} has not done its job`)) as [number | null];
    if (code !== 0) throw new PlainError(`${file} ended with ${code}.`);
    return said.split('\n').filter((line) => line.startsWith('done: '));
  } catch (error) {
    throw new PlainError(`${said}\n${(error as Error).message}`);
  } finally {
    forget();
  }
}

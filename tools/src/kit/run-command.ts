import { spawn } from 'node:child_process';
import { PlainError } from '../../bootstrap/plain-error.mjs';
import { onEnd } from './clean-up.js';

const LINES_SHOWN = 40;
const LIMIT_MS = 300_000;

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How long it may take. Default: five minutes. */
  readonly limitMs?: number;
}

/**
 * Runs a command as a user would, without what npm tells its scripts by the environment, and resolves with what it
 * printed to stdout.
 *
 * @throws PlainError with the end of its output, when it fails, or takes too long: it is killed then, with all that it has started
 */
export async function runCommand(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, [...args], {
    cwd: options.cwd,
    env: { PATH, HOME, CI: 'true', NO_COLOR: '1', ...registryOf(process.env), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // a group of its own: what npm has started would outlive it, and keep its output open
    detached: true,
  });
  const endNow = onEnd(() => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  });
  const limit = setTimeout(endNow, options.limitMs ?? LIMIT_MS);
  let stdout = '';
  let both = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => ((stdout += text), (both += text)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (both += text));
  const how = await new Promise<number | string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'ended'));
  });
  clearTimeout(limit);
  endNow();
  if (how === 0) return stdout;
  const end = both.trimEnd().split('\n').slice(-LINES_SHOWN).join('\n');
  throw new PlainError(`${end}\n${[command, ...args].join(' ')} failed (${how}).`.trimStart());
}

/** Where this machine gets its packages from. */
function registryOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(env).filter((name) =>
    /^(npm_config_(registry|cache|userconfig|cafile|.*proxy)|NODE_EXTRA_CA_CERTS)$/i.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, env[name]!]));
}

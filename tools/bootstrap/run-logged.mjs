import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { below, root, stateDir } from './paths.mjs';
import { PlainError } from './plain-error.mjs';

const tailLines = 20;

/**
 * Runs a command without showing its output, which goes to .duework/logs/<name>.log.
 *
 * @param {{ name: string, command: string, args: string[], env?: Record<string, string>, hint?: string }} options
 *   `hint` is what to do when it fails
 * @throws {PlainError} with the end of the log
 */
export async function runLogged({ name, command, args, env = {}, hint = '' }) {
  const logs = join(stateDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const log = join(logs, `${name}.log`);
  const file = createWriteStream(log);
  let output = '';

  const code = await new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        file.write(chunk);
        output = (output + String(chunk)).slice(-20_000);
      });
    }
    child.on('error', (error) => reject(new PlainError(`Cannot run ${command}: ${error.message}`)));
    child.on('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  await new Promise((resolve) => file.end(() => resolve(undefined)));
  if (code === 0) return;

  const tail = output
    .trimEnd()
    .split('\n')
    .slice(-tailLines)
    .map((line) => `  ${line}`)
    .join('\n');
  throw new PlainError(`${tail}\n${name} failed (${code}); the whole log is ${below(log)}. ${hint}`.trimEnd());
}

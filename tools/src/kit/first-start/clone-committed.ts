import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { runCommand } from '../run-command.js';

/**
 * What is committed, in a folder of its own, and an environment that knows no cache of this machine: neither npm's nor
 * pnpm's.
 *
 * @param dir gets both
 */
export async function cloneCommitted(dir: string): Promise<{ readonly clone: string; readonly env: Env }> {
  const clone = join(dir, 'clone');
  await runCommand('git', ['clone', '--quiet', '--no-local', '--depth', '1', `file://${root}`, clone], { cwd: dir });
  const env = {
    npm_config_cache: join(dir, 'npm'),
    PNPM_HOME: join(dir, 'pnpm'),
    ...Object.fromEntries(
      ['CACHE', 'DATA', 'STATE'].map((kind) => [`XDG_${kind}_HOME`, join(dir, kind.toLowerCase())]),
    ),
    DUEWORK_STATE_DIR: join(clone, '.duework'),
  };
  return { clone, env };
}

type Env = Readonly<Record<string, string>>;

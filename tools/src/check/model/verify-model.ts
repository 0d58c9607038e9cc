import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';

const OUTPUT_MAX_BYTES = 2 ** 26;

export interface ModelCase {
  /** The file of the model in tools/model. */
  readonly model: 'lease' | 'flow';
  readonly title: string;
  /** The mistakes that are planted, by their names in the model. */
  readonly defines: readonly string[];
  /** Whether the case is about what must happen in the end, and not about what must never happen. */
  readonly isLiveness?: boolean;
  /** Whether no assertion may break. */
  readonly isSafe: boolean;
}

export interface Verified {
  readonly isSafe: boolean;
  /** How many states were visited. */
  readonly states: number;
  /** The assertion that broke; null: none, or the break was no assertion. */
  readonly broken: string | null;
}

function run(dir: string, program: string, given: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync(program, given, {
    cwd: dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: OUTPUT_MAX_BYTES,
  });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT')
    throw new PlainError(`${program} is missing: apt-get install spin gcc`);
  if (status !== 0) throw new PlainError(`${program} ${given.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

/**
 * Runs spin on one case and returns what it finds.
 *
 * @throws PlainError when it did not visit every state
 */
export function verifyModel({ model, defines, isLiveness = false }: ModelCase): Verified {
  const dir = mkdtempSync(join(tmpdir(), 'duework-model-'));
  try {
    run(dir, 'spin', [...defines.map((name) => `-D${name}`), '-a', join(root, `tools/model/${model}.pml`)]);
    run(dir, 'cc', ['-O2', '-w', ...(isLiveness ? [] : ['-DSAFETY', '-DNOCLAIM']), '-o', 'pan', 'pan.c']);
    const said = run(dir, join(dir, 'pan'), ['-m1000000', ...(isLiveness ? ['-a', '-f'] : [])]);
    const errors = /errors: (\d+)/.exec(said)?.[1];
    const states = /(\d+) states, stored/.exec(said)?.[1];
    // a state that was not visited proves nothing
    if (errors === undefined || states === undefined || said.includes('max search depth too small'))
      throw new PlainError(`spin did not finish:\n${said}`);
    return {
      isSafe: errors === '0',
      states: Number(states),
      broken: /assertion violated (.*) \(at depth/.exec(said)?.[1] ?? null,
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

import { join } from 'node:path';
import { runCommand } from '../../kit/run-command.js';
import type { Lab } from '../../kit/run-packed.js';
import { TYPESCRIPTS } from './pinned-versions.js';

/** The versions that a check compiles with; `--quick` leaves out what lies between the oldest and the newest. */
export const typescriptsOf = ({ isQuick }: Pick<Lab, 'isQuick'>): readonly string[] =>
  isQuick ? [TYPESCRIPTS[0]!, TYPESCRIPTS.at(-1)!] : TYPESCRIPTS;

/**
 * What a check compiles: each setting by each version. With `--quick` each setting once: the first one by the oldest
 * version, which takes ten times as long as the newest, and the others by the newest.
 */
export function listCompilations<T>(lab: Pick<Lab, 'isQuick'>, settings: readonly T[]) {
  const versions = typescriptsOf(lab);
  if (!lab.isQuick) return versions.flatMap((version) => settings.map((setting) => ({ version, setting })));
  return settings.map((setting, at) => ({ version: at === 0 ? versions[0]! : versions.at(-1)!, setting }));
}

const compilerName = (version: string): string => `typescript-${version}`;

/** What a consumer depends on to have every version. */
export const compilers = (versions: readonly string[] = TYPESCRIPTS): Record<string, string> =>
  Object.fromEntries(versions.map((version) => [compilerName(version), `npm:typescript@${version}`]));

/** Runs the compiler of one version in a consumer's folder. */
export async function compile(dir: string, version: string, args: readonly string[]): Promise<void> {
  const compiler = join(dir, 'node_modules', compilerName(version), 'bin/tsc');
  await runCommand(process.execPath, [compiler, ...args], { cwd: dir });
}

import { cpSync } from 'node:fs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { openClient } from '../../kit/open-client.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import type { Packed } from '../../kit/packed.js';
import { runCommand } from '../../kit/run-command.js';
import { ORDERS, writeByHand } from './make-project.js';
import { startWorker } from './start-worker.js';
import type { Project, Way } from './ways.js';

export interface Adoption {
  readonly way: Way;
  readonly commands: readonly string[];
  readonly lines: number;
  /** From the first command until the job was done. */
  readonly seconds: number;
  /** Of these, the first command: the install. */
  readonly installSeconds: number;
}

export interface AdoptOptions {
  readonly way: Way;
  readonly project: Project;
  /** The project as the team has it. */
  readonly from: string;
  readonly dir: string;
  readonly packed: readonly Packed[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Takes a project to a job that is done inside its own transaction, and measures what that took. The project's program
 * places one order that is rolled back and one that commits; exactly one job must be done.
 */
export function adopt({ way, project, from, dir, packed, env: given }: AdoptOptions): Promise<Adoption> {
  return withFreshDatabase(
    async (databaseUrl) => {
      const env = { ...given, DATABASE_URL: databaseUrl, WORKER_PORT: 'none', npm_config_prefer_offline: 'true' };
      const db = await openClient(databaseUrl);
      try {
        await db.query(ORDERS);
        cpSync(from, dir, { recursive: true, verbatimSymlinks: true });
        const lines = writeByHand(way.folder, project, dir);
        const commands = way.commands(project);
        const took = await useIt({ way, project, commands, dir, packed, env });
        if (way.also !== undefined) await runCommand('sh', ['-c', way.also(project)], { cwd: dir, env });
        const { rows } = await db.query<{ count: number }>('SELECT count(*)::int FROM orders');
        if (rows[0]?.count !== 1) throw new PlainError(`There are ${rows[0]?.count} orders, and should be one.`);
        return { way, commands, lines, ...took };
      } finally {
        await db.end();
      }
    },
    { isMigrated: false },
  );
}

interface UseOptions extends Pick<AdoptOptions, 'way' | 'project' | 'dir' | 'packed' | 'env'> {
  readonly commands: readonly string[];
}

async function useIt({
  way,
  project,
  commands,
  dir,
  packed,
  env,
}: UseOptions): Promise<{ seconds: number; installSeconds: number }> {
  const begun = performance.now();
  const since = (): number => (performance.now() - begun) / 1_000;
  let installSeconds = 0;
  for (const command of commands.slice(0, -1)) {
    await runCommand('sh', ['-c', fromTarballs(command, packed)], { cwd: dir, env });
    if (installSeconds === 0) installSeconds = since();
  }
  const worker = startWorker(commands.at(-1)!, dir, env);
  try {
    if (way.ready !== undefined) await worker.printed(way.ready);
    const program = project === 'empty' ? ['play.mjs'] : ['--import', 'tsx', 'play.ts'];
    await runCommand('node', program, { cwd: dir, env });
    await worker.printed(way.done);
    const seconds = since();
    if (worker.count(way.done) !== 1) throw new PlainError(`${worker.count(way.done)} jobs were done, and not one.`);
    return { seconds, installSeconds };
  } finally {
    await worker.stop();
  }
}

/** Takes the packed packages in place of the registry's. */
function fromTarballs(command: string, packed: readonly Packed[]): string {
  if (!command.startsWith('npm install ')) return command;
  const known = new Map(packed.map(({ name, tarball }) => [name, tarball]));
  return command
    .split(' ')
    .map((word) => known.get(word) ?? word)
    .join(' ');
}

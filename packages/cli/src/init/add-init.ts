import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { runInit } from './run-init.js';

/** `duework init` */
export function addInit(program: Command, { cwd, databaseUrl, loadJobs, write }: CommandParts): void {
  program
    .command('init')
    .description('Adds jobs to this project: contracts, handlers, a worker, an enqueue in your transaction, a test')
    .option('--dry-run', 'show every line that would be written, and write nothing')
    .option('--yes', 'do not ask')
    .option('--no-install', 'write only, and install nothing')
    .addHelpText(
      'after',
      `
It looks at package.json, the lock file, tsconfig.json and Prisma's schema, and writes for what it finds there.
Files that are there already stay as they are, so a second run changes nothing. It ends by migrating the database of
DATABASE_URL, or an embedded one, and running one job.`,
    )
    .action(({ dryRun, yes, install }: { dryRun?: true; yes?: true; install: boolean }) =>
      runInit(
        {
          cwd,
          write,
          databaseUrl,
          load: loadJobs,
          confirm: async (question) => yes === true || (await ask(question)),
          run: (command) => run(command, cwd),
        },
        { isDryRun: dryRun === true, isInstalling: install },
      ),
    );
}

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new PlainError('confirmation_needed', 'Nothing was written: nobody can be asked here. Add --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^(y|yes|)$/i.test((await terminal.question(`${question} [Y/n] `)).trim());
  } finally {
    terminal.close();
  }
}

/** npm and its like are scripts on Windows, which only a shell starts. */
function run([program, ...args]: readonly string[], cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new PlainError('install_failed', `There is no program ${program} to install with.`)
          : error,
      ),
    );
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

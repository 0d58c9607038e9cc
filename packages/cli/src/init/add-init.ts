import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { askChoice } from '../output/ask-choice.js';
import { openProgressLine } from '../output/open-progress-line.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';

interface Given {
  readonly in?: string;
  readonly contracts?: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly install: boolean;
  readonly verbose?: true;
}

/** `duework init` */
export function addInit(program: Command, parts: CommandParts): void {
  const { cwd, databaseUrl, loadJobs, write } = parts;
  program
    .command('init')
    .description('Add jobs to this project: contracts, handlers, a worker, an enqueue in your transaction, a test')
    .option('--in <folder>', 'the workspace package to add them to (default: this folder)')
    .option('--contracts <folder>', 'the package for contracts (default: the one that depends on @duework/contracts)')
    .option('--dry-run', 'show every line that would be written, and write nothing')
    .option('--yes', 'write without asking')
    .option('--no-install', 'write files, but install nothing')
    .option('--verbose', 'show each step and the output of the package manager')
    .addHelpText(
      'after',
      `
It looks at package.json, the lock file, tsconfig.json and Prisma's schema, and writes for what it finds there.
Files that are there already stay as they are, so a second run changes nothing. It ends by migrating the database of
DATABASE_URL, or an embedded one, and running one job. In the root of a workspace it asks which package enqueues, unless
the root has a program of its own.`,
    )
    .action(async ({ in: packageDir, contracts: contractsDir, dryRun, yes, install, verbose }: Given) => {
      const [{ runInit }, { runInstall }] = await Promise.all([import('./run-init.js'), import('./run-install.js')]);
      const isVerbose = verbose === true;
      const isAsking = yes !== true && process.stdin.isTTY;
      return runInit(
        {
          cwd,
          write,
          line: openProgressLine(parts, isVerbose),
          databaseUrl,
          load: loadJobs,
          confirm: async (question) => yes === true || (await ask(question)),
          choose: isAsking ? askChoice : undefined,
          run: (command, dir) => runInstall(command, dir, isVerbose),
        },
        { packageDir, contractsDir, isDryRun: dryRun === true, isInstalling: install, isVerbose },
      );
    });
}

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new PlainError('confirmation_needed', 'Nothing was written: without a terminal, confirm with --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^(y|yes|)$/i.test((await terminal.question(`${question} [Y/n] `)).trim());
  } finally {
    terminal.close();
  }
}

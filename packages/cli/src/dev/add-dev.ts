import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';

/** `duework dev` */
export function addDev(program: Command, parts: CommandParts): void {
  program
    .command('dev')
    .description(
      'Run a worker that restarts when a file changes, and the console; without DATABASE_URL also a PostgreSQL',
    )
    .argument('[module]', 'the module with your jobs; like --jobs')
    .addHelpText(
      'after',
      `
Without DATABASE_URL it starts the PostgreSQL of @duework/embedded, whose files are in .duework/postgres. It migrates,
runs the jobs and prints a line for each. When a source file changes, running jobs end and a new worker starts. Other
commands in the folder find that PostgreSQL. Where @duework/http is installed, the console is at the address that is
printed; it lets in this machine alone, without signing in.
Ctrl-C stops all of it, and a second one does not wait for running jobs.`,
    )
    .action(async (module: string | undefined) => {
      const { runDev } = await import('./run-dev.js');
      await runDev({ ...parts, jobsFile: () => parts.jobsFile(module), databaseUrl: parts.givenDatabaseUrl });
    });
  program
    .command('dev-console', { hidden: true })
    .requiredOption('--port <n>', 'where it listens')
    .action(async ({ port }: { port: string }) => {
      const { serveConsole } = await import('./serve-console.js');
      await serveConsole({ ...parts, port: Number(port) });
    });
}

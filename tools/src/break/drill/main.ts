/**
 * `npm run break -- drill`: the rehearsal before every release. 100 receipts, 20 of which the mail server refuses at first, a
 * worker that is stopped in the middle and one that is killed; each receipt has to arrive exactly once.
 */
import { Option } from 'commander';
import { createProgram, wholeNumber } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import type { EngineClient } from './engine-client.js';
import { report } from './report.js';
import { runDrill } from './run-drill.js';

const program = createProgram(
  'break drill',
  `Enqueues receipts, lets the mail server refuse a fifth of them at first, stops a worker in the middle with SIGTERM, kills
the next one with SIGKILL, and counts what arrived. It runs on a PostgreSQL and a mail server of its own and leaves
nothing behind but the workers' logs in .duework/logs. Exit code 1: a promise broke.`,
)
  .option('--receipts <n>', 'how many, 20 to 10000', wholeNumber(20, 10_000), 100)
  .addOption(
    new Option('--client <name>', "the workers' client of PostgreSQL; both: one drill with each")
      .choices(['prisma', 'pg', 'both'])
      .default('both'),
  );

await runProgram(program, async () => {
  const { receipts, client } = program.opts<{ receipts: number; client: EngineClient | 'both' }>();
  let code = 0;
  for (const engineClient of client === 'both' ? (['prisma', 'pg'] as const) : [client])
    code ||= await withFreshDatabase(async (databaseUrl) =>
      report(await runDrill({ databaseUrl, receipts, engineClient })),
    );
  return code;
});

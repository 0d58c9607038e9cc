/** `npm run write -- surface`: the reports of what each entry of the published packages promises, in packages/…/etc. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { compareLines } from './compare-lines.js';
import { describeEntries } from './describe-entries.js';

const SUMMARY = `Writes the declarations of each entry of the published packages into the reports that are committed: packages/duework/etc, packages/contracts/etc, packages/client/etc, packages/embedded/etc, packages/http/etc, packages/otel/etc and packages/bullmq/etc. Whoever changes a name or a type that users see changes a report with it. Exit code 1: with --check, one differs.`;

const program = createProgram('write surface', SUMMARY).option('--check', 'writes nothing, and fails when one differs');

await runProgram(program, async () => {
  const isWriting = program.opts<{ check?: true }>().check !== true;
  const reports = (
    await Promise.all(['duework', 'contracts', 'client', 'embedded', 'http', 'otel', 'bullmq'].map(describeEntries))
  ).flat();
  let differing = 0;
  for (const { path, text } of reports) {
    const file = join(root, path);
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (before === text) continue;
    differing++;
    if (isWriting) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      process.stdout.write(`${path} written.\n`);
    } else {
      process.stderr.write(`${path} is not what users see any more:\n`);
      for (const line of compareLines(before, text).slice(0, 30)) process.stderr.write(`  ${line}\n`);
    }
  }
  if (differing === 0) process.stdout.write(`The ${reports.length} entries are as reported.\n`);
  if (differing === 0 || isWriting) return 0;
  process.stderr.write('If users shall see that: npm run write -- surface\n');
  return 1;
});

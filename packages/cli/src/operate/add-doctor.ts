import type { Finding, Replication } from '@duework/operate';
import type { Command } from 'commander';
import { FINDING } from '../exit-codes.js';
import type { CommandParts } from '../program-parts.js';
import { PRINTED } from '../option-words.js';

/** `duework doctor` */
export function addDoctor(program: Command, { operations, write, exitWith }: CommandParts): void {
  program
    .command('doctor')
    .description('Check the database for what is or soon will be wrong, with fixes; exit code 3: something is wrong')
    .option(...PRINTED)
    .action(async ({ json }: { json?: true }) => {
      const report = await (await operations()).doctor();
      if (report.findings.length > 0) exitWith(FINDING);
      if (json) return write(`${JSON.stringify(report, null, 2)}\n`);
      write(report.findings.map(showFinding).join('\n'));
      const { showSize } = await import('./show-size.js');
      write(
        `${report.findings.length === 0 ? '' : '\n'}${report.replication.map(showReplication).join('')}${report.sizes.map(showSize).join('')}`,
      );
      const checked = `Looked at ${report.checks.join(', ')}`;
      write(
        report.findings.length === 0
          ? `${checked}: nothing is wrong.\n`
          : `${checked}: ${report.findings.length} ${report.findings.length === 1 ? 'finding' : 'findings'}.\n`,
      );
    });
}

const showFinding = ({ severity, code, sentence, fix }: Finding): string =>
  `${severity.padEnd(9)}${code}\n  ${sentence}\n  ${fix}\n`;

function showReplication({ waitsFor, commits, standbys }: Replication): string {
  if (waitsFor === '') return 'Replication: no commit waits for another server.\n';
  const there =
    standbys === null
      ? 'which of them are there this role may not see (GRANT pg_monitor)'
      : `there now: ${standbys.map(({ name, state, isCounted }) => `${name} (${isCounted ? state : 'not counted'})`).join(', ') || 'none'}`;
  return `Replication: with synchronous_commit ${commits} a commit waits for ${waitsFor}; ${there}.\n`;
}

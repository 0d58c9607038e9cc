import type { FailureGroup, FailureRange, Failures } from '@duework/operate';
import { type Command, Option } from 'commander';
import { PRINTED } from '../option-words.js';
import { formatFacts } from '../output/format-facts.js';
import { formatMoment } from '../output/format-moment.js';
import { type Look, paint } from '../output/look.js';
import type { CommandParts } from '../program-parts.js';
import { cleanText } from '../output/clean-text.js';

/** What is shown unless all of it is asked for. */
const FEW_GROUPS = 10;
/** As the engine and the API know them. */
const RANGES: readonly FailureRange[] = ['1h', '24h', '7d', '30d'];

/** `duework failures` */
export function addFailures(program: Command, { operations, look, write }: CommandParts): void {
  program
    .command('failures')
    .description(
      'Show why jobs failed lately, by error: how many, since when, with which version, and where in the code',
    )
    .option('--type <type>', 'only of this job type')
    .addOption(new Option('--range <range>', 'how far back').choices(RANGES).default('24h'))
    .option('--all', `show every error, not only ${FEW_GROUPS}`)
    .option(...PRINTED)
    .action(async ({ type, range, all, json }: { type?: string; range: FailureRange; all?: true; json?: true }) => {
      const failures = await (await operations()).readFailures(range, type);
      if (json) return write(`${JSON.stringify(failures, null, 2)}\n`);
      const { groups, isComplete } = failures;
      if (groups.length === 0) return write('No job died or waits for a retry.\n');
      const shown = groups.slice(0, all ? undefined : FEW_GROUPS);
      write(shown.map((group) => showGroup(group, failures, look)).join('\n'));
      if (shown.length < groups.length) write(`\n… and ${groups.length - shown.length} more: --all\n`);
      if (!isComplete) write('\nThere are more: only the newest were read. Choose a shorter time.\n');
    });
}

function showGroup(group: FailureGroup, { since }: Pick<Failures, 'since'>, look: Look): string {
  const { type, code, errorType, pattern, dead, retrying, firstAt, lastAt, isOlder, places, newestJob, filter } = group;
  const count = [dead > 0 ? `${dead} dead` : [], retrying > 0 ? `${retrying} wait for a retry` : []].flat().join(', ');
  const older = isOlder ? `, and before ${formatMoment(since)}` : '';
  const facts = formatFacts(
    [
      ['error', `${code} ${errorType === null ? '' : `${errorType}: `}${pattern}`],
      ['began', `${formatMoment(firstAt)}${describeBegin(group)}${older}`],
      ['last', formatMoment(lastAt)],
      ['place', places.length === 0 ? null : places.join(', ')],
      ['stack', `duework show ${newestJob}`],
      ['jobs', `duework jobs ${quote(`status:dead,failed ${filter} since:${since.toISOString()}`)}`],
    ],
    look,
  );
  return `${paint(look, dead > 0 ? 'red' : 'yellow', cleanText(`${type}: ${count}`))}\n${facts}`;
}

/** ` with version 1.4.2 (started 2026-…), on worker-1` */
function describeBegin({ beganWith }: Pick<FailureGroup, 'beganWith'>): string {
  if (beganWith === null) return '';
  const { worker, codeVersion, startedAt } = beganWith;
  const version = codeVersion === null ? '' : ` with version ${codeVersion} (started ${formatMoment(startedAt)}),`;
  return `${version} on ${worker}`;
}

/** As one argument of a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

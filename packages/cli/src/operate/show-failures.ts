import type { FailureGroup, Failures } from '@duework/operate';
import { cleanText } from '../output/clean-text.js';
import { formatFacts } from '../output/format-facts.js';
import { formatMoment } from '../output/format-moment.js';
import { type Look, paint } from '../output/look.js';

/** Why jobs failed lately, an error after the other, at most `few` of them. */
export function showFailures(failures: Failures, few: number, look: Look): string {
  const { groups, isComplete } = failures;
  if (groups.length === 0) return 'No job died or waits for a retry.\n';
  const shown = groups.slice(0, few);
  const more = shown.length < groups.length ? `\n… and ${groups.length - shown.length} more: --all\n` : '';
  const older = isComplete ? '' : '\nThere are more: only the newest were read. Choose a shorter time.\n';
  return shown.map((group) => showGroup(group, failures, look)).join('\n') + more + older;
}

function showGroup(group: FailureGroup, { since }: Pick<Failures, 'since'>, look: Look): string {
  const { type, code, errorType, pattern, dead, retrying, firstAt, lastAt, isOlder, places, newestJob, filter } = group;
  const count = [dead > 0 ? `${dead} dead` : [], retrying > 0 ? `${retrying} wait for a retry` : []].flat().join(', ');
  const older = isOlder ? `, and before ${formatMoment(since)}` : '';
  const facts = formatFacts(
    [
      ['error', `${code}${errorType === null ? '' : ` ${errorType}`}${textOf(pattern)}`],
      ['began', `${formatMoment(firstAt)}${describeBegin(group)}${older}`],
      ['last', formatMoment(lastAt)],
      ['place', places.length === 0 ? null : places.join(', ')],
      ['stack', `npx duework show ${newestJob}`],
      ['jobs', `npx duework jobs ${quote(`status:dead,failed ${filter} since:${since.toISOString()}`)}`],
    ],
    look,
  );
  return `${paint(look, dead > 0 ? 'red' : 'yellow', cleanText(`${type}: ${count}`))}\n${facts}`;
}

/** Of a key that may not read payloads: none. */
const textOf = (pattern: string | null): string => (pattern === null ? '' : `: ${pattern}`);

/** ` with version 1.4.2 (started 2026-…), on worker-1` */
function describeBegin({ beganWith }: Pick<FailureGroup, 'beganWith'>): string {
  if (beganWith === null) return '';
  const { worker, codeVersion, startedAt } = beganWith;
  const version = codeVersion === null ? '' : ` with version ${codeVersion} (started ${formatMoment(startedAt)}),`;
  return `${version} on ${worker}`;
}

/** As one argument of a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

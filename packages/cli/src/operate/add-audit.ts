import type { AuditedFacts, AuditEntry } from '@duework/operate';
import type { Command } from 'commander';
import { formatMoment } from '../output/format-moment.js';
import { formatRows } from '../output/format-rows.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';
import { CURSOR, PRINTED, LIMIT } from '../option-words.js';

interface Given {
  readonly by?: string;
  readonly verb?: string;
  readonly kind?: string;
  readonly target?: string;
  readonly job?: string;
  readonly since?: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly json?: true;
}

/** `duework audit` */
export function addAudit(program: Command, { operations, now, look, write, timeZone }: CommandParts): void {
  program
    .command('audit')
    .description('List who did what, newest first')
    .option('--job <id>', 'only what was done to this job, alone or in a bulk action')
    .option('--by <who>', 'only what they did: key:deploy, person:ana@example.org')
    .option('--verb <verb>', 'only this: retry, cancel, pause, start_bulk_action …')
    .option('--kind <kind>', 'only on a job, schedule, queue, type, bulk_action or key')
    .option('--target <name>', 'only on this id or key; with --kind')
    .option('--since <moment>', 'only since then: yesterday, 24h, 2026-01-14, or a time with a zone')
    .option(...LIMIT, wholeNumber, 50)
    .option(...CURSOR)
    .option(...PRINTED)
    .action(async ({ json, since, ...given }: Given) => {
      const { parseMoment } = await import('../schedules/parse-moment.js');
      const page = await (
        await operations()
      ).readAudit({
        ...given,
        since: since === undefined ? undefined : parseMoment(since, now().getTime(), timeZone),
      });
      if (json) return write(`${JSON.stringify(page, null, 2)}\n`);
      const head = ['WHEN', 'WHO', 'VIA', 'VERB', 'WHAT', 'REASON', 'CHANGE'];
      write(formatRows(head, page.entries, toRow, 'No such actions.', look));
      if (page.nextCursor !== null) write(`… and more: --cursor ${page.nextCursor}\n`);
    });
}

const toRow = ({ at, by, via, from, verb, kind, target, before, after, reason }: AuditEntry): string[] => [
  formatMoment(at),
  by,
  from === null ? via : `${via} ${from}`,
  verb,
  `${kind} ${target}`,
  reason ?? '',
  describeChange(before, after),
];

/** `status dead → queued, attempts 10 → 0`; a thing that is new or gone by its own facts. */
function describeChange(before: AuditedFacts | null, after: AuditedFacts | null): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .flatMap((name) => {
      const [was, is] = [showFact(before?.[name]), showFact(after?.[name])];
      if (was === is) return [];
      return [was === '' ? `${name} ${is}` : `${name} ${was} → ${is === '' ? 'none' : is}`];
    })
    .join(', ');
}

const showFact = (fact: unknown): string => {
  if (fact === undefined || fact === null) return '';
  return typeof fact === 'string' ? fact : JSON.stringify(fact);
};

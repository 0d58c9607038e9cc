import type { Duration } from '@duework/contracts';
import type { FlowChange } from '@duework/operate';
import type { Command } from 'commander';
import { formatRows } from '../output/format-rows.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { KEY_COLUMNS, RULE_COLUMNS, spellTerms, toKeyRow, toRuleRow } from './flow-rows.js';

const MOST_KEYS = 200;

interface Change {
  readonly max?: string;
  readonly per?: string;
  readonly burst?: string;
  readonly share?: string;
  readonly of?: string;
  readonly pause?: string;
  readonly takeBack?: true;
  readonly preview?: true;
  readonly reason?: string;
}

/** `duework flow` */
export function addFlow(program: Command, { operations, look, write }: CommandParts): void {
  const flow = program.command('flow').description('Limits, rates, orders, tenants and breakers');
  flow
    .command('list', { isDefault: true })
    .description('The rules: what holds, how many jobs run by them, and how many wait')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: true }) => {
      const rules = await (await operations()).flow.list();
      if (json) return write(`${JSON.stringify(rules, null, 2)}\n`);
      write(formatRows(RULE_COLUMNS, rules, toRuleRow, 'No contract declares a rule of flow control.', look));
    });
  flow
    .command('show')
    .description('The keys of a rule: who holds them, and how many wait')
    .argument('<rule>', 'its kind and name: limit/smtp')
    .option('--after <key>', 'from behind this key on')
    .option('--json', 'as JSON')
    .action(async (rule: string, { after, json }: { after?: string; json?: true }) => {
      const page = await (await operations()).flow.keys(rule, { limit: MOST_KEYS, after: after ?? null });
      if (json) return write(`${JSON.stringify(page, null, 2)}\n`);
      write(formatRows(KEY_COLUMNS, page.keys, toKeyRow, `Nothing has come to ${rule} yet.`, look));
      if (page.nextCursor !== null) write(`… and more: --after '${page.nextCursor}'\n`);
    });
  flow
    .command('change')
    .description('Changes a limit, a rate or a breaker, whatever a deploy declares, until it is taken back')
    .argument('<rule>', 'its kind and name: limit/smtp')
    .option('--max <count>', 'of a limit how many at once, of a rate how many in its time')
    .option('--per <duration>', 'of a rate: 1m')
    .option('--burst <count>', 'of a rate: how many may start at once')
    .option('--share <number>', 'of a breaker: which share of its attempts has to fail')
    .option('--of <count>', 'of a breaker: of how many attempts')
    .option('--pause <duration>', 'of a breaker: how long it is open')
    .option('--take-back', 'what the contracts declare holds again')
    .option('--preview', 'says what it would do, and changes nothing')
    .option('--reason <text>', 'why, for the audit')
    .action(async (rule: string, given: Change) => {
      const change = readChange(given);
      if (given.preview) {
        const { before, after, running, waiting, letIn, over, isAtLeast } = await (
          await operations()
        ).flow.preview(rule, change);
        const more = isAtLeast ? ' or more' : '';
        write(`${rule}: ${spellTerms(before)} becomes ${spellTerms(after)}; ${running} run, ${waiting}${more} wait.\n`);
        if (letIn !== null)
          write(`${letIn}${more} would be let in at once, ${over} would be over the bound until they end.\n`);
        return;
      }
      const { terms, changed } = await (await operations()).flow.change(rule, change, given.reason);
      const back =
        changed === null ? '' : ` What is declared holds again with: duework flow change ${rule} --take-back`;
      write(`${rule} is now ${spellTerms(terms)}.${back}\n`);
    });
  flow
    .command('close')
    .description('Lets nothing in by a rule or one of its keys for a while; what runs goes on')
    .argument('<key>', 'limit/smtp, or limit/send_mail.accountId/7')
    .requiredOption('--for <duration>', 'how long: 10m')
    .option('--reason <text>', 'why, for the audit')
    .action(async (key: string, given: { for: string; reason?: string }) => {
      const { closedUntil } = await (await operations()).flow.close(key, given.for as Duration, given.reason);
      write(`${key} is closed until ${closedUntil!.toISOString()}. It opens before with: duework flow open ${key}\n`);
    });
  flow
    .command('open')
    .description('Opens a key that is closed, or a breaker, which forgets what has failed')
    .argument('<key>', 'breaker/send_mail')
    .option('--reason <text>', 'why, for the audit')
    .action(async (key: string, { reason }: { reason?: string }) => {
      await (await operations()).flow.open(key, reason);
      write(`${key} is open.\n`);
    });
}

/** What is to be changed; null: all of it is taken back. */
function readChange({ takeBack, preview: _, reason: __, ...given }: Change): FlowChange | null {
  if (takeBack) {
    if (Object.keys(given).length > 0)
      throw new PlainError('invalid_option', '--take-back takes back all of it, and cannot be used with a change.');
    return null;
  }
  const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
  return {
    max: number(given.max),
    per: given.per as Duration | undefined,
    burst: number(given.burst),
    share: number(given.share),
    of: number(given.of),
    pause: given.pause as Duration | undefined,
  };
}

import type { Duration } from '@duework/contracts';
import type { FlowChange } from '@duework/operate';
import type { Command } from 'commander';
import { formatRows } from '../output/format-rows.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { KEY_COLUMNS, RULE_COLUMNS, spellTerms, toKeyRow, toRuleRow } from './flow-rows.js';
import { PRINTED, REASON } from '../option-words.js';

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
  const flow = program.command('flow').description('Show and change limits, rates, orders, tenants and breakers');
  flow
    .command('list', { isDefault: true })
    .description('List the rules, and how many jobs run and wait at each')
    .option(...PRINTED)
    .action(async ({ json }: { json?: true }) => {
      const rules = await (await operations()).flow.list();
      if (json) return write(`${JSON.stringify(rules, null, 2)}\n`);
      write(formatRows(RULE_COLUMNS, rules, toRuleRow, 'No contract declares a rule of flow control.', look));
    });
  flow
    .command('show')
    .description('Show the keys of a rule, who holds them and how many jobs wait')
    .argument('<rule>', 'the kind and name of a rule: limit/smtp')
    .option('--after <key>', 'start after this key')
    .option(...PRINTED)
    .action(async (rule: string, { after, json }: { after?: string; json?: true }) => {
      const page = await (await operations()).flow.keys(rule, { limit: MOST_KEYS, after: after ?? null });
      if (json) return write(`${JSON.stringify(page, null, 2)}\n`);
      write(formatRows(KEY_COLUMNS, page.keys, toKeyRow, `Nothing has come to ${rule} yet.`, look));
      if (page.nextCursor !== null) write(`… and more: --after '${page.nextCursor}'\n`);
    });
  flow
    .command('change')
    .description('Change a limit, rate or breaker until you take it back, whatever a deploy declares')
    .argument('<rule>', 'the kind and name of a rule: limit/smtp')
    .option('--max <count>', 'limit: how many at once; rate: how many in its time')
    .option('--per <duration>', 'rate: its time, such as 1m')
    .option('--burst <count>', 'rate: how many may start at once')
    .option('--share <number>', 'breaker: the share of attempts that must fail')
    .option('--of <count>', 'breaker: of how many attempts')
    .option('--pause <duration>', 'breaker: how long it stays open')
    .option('--take-back', 'return to what the contracts declare')
    .option('--preview', 'say what it would do, and change nothing')
    .option(...REASON)
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
        changed === null ? '' : ` What is declared holds again with: npx duework flow change ${rule} --take-back`;
      write(`${rule} is now ${spellTerms(terms)}.${back}\n`);
    });
  flow
    .command('close')
    .description('Close a rule or one of its keys for a while; running jobs continue')
    .argument('<key>', 'a rule or key: limit/smtp, or limit/send_mail.accountId/7')
    .requiredOption('--for <duration>', 'open again after this long: 10m')
    .option(...REASON)
    .action(async (key: string, given: { for: string; reason?: string }) => {
      const { closedUntil } = await (await operations()).flow.close(key, given.for as Duration, given.reason);
      write(
        `${key} is closed until ${closedUntil!.toISOString()}. It opens before with: npx duework flow open ${key}\n`,
      );
    });
  flow
    .command('open')
    .description('Open a closed key, or a breaker, which then forgets its failures')
    .argument('<key>', 'a rule or key: breaker/send_mail')
    .option(...REASON)
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

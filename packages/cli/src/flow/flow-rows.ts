import type { FlowKey, FlowRuleState, RuleTerms } from '@duework/operate';
import { formatMoment } from '../output/format-moment.js';
import type { Cell } from '../output/format-table.js';

export const RULE_COLUMNS = ['RULE', 'HOLDS', 'CHANGED BY', 'RUN', 'WAIT', 'KEYS', 'CLOSED', 'TYPES'];

export const toRuleRow = ({ isAtLeast, ...rule }: FlowRuleState): Cell[] => [
  rule.name,
  spellTerms(rule.terms),
  rule.changed === null ? '' : { text: rule.changedBy ?? 'somebody', style: 'yellow' },
  String(rule.running),
  `${rule.waiting}${isAtLeast ? '+' : ''}`,
  String(rule.keys),
  rule.closed === 0 ? '' : { text: String(rule.closed), style: 'red' },
  rule.types.join(', '),
];

export const KEY_COLUMNS = ['KEY', 'HELD', 'WAIT', 'STATE', 'HELD BY'];

export const toKeyRow = (key: FlowKey): Cell[] => [
  key.key,
  String(key.used),
  `${key.waiting}${key.waitingIsAtLeast ? '+' : ''}`,
  stateOf(key),
  key.holders
    .slice(0, 3)
    .map(
      ({ id, type, status, since }) =>
        `${id} (${type}, since ${formatMoment(since)}${status === 'queued' ? ', waits for a worker' : ''})`,
    )
    .join(', ') + (key.holders.length > 3 ? ' …' : ''),
];

function stateOf({ closedUntil, breaker, nextAt }: FlowKey): Cell {
  if (closedUntil !== null) return { text: `closed until ${formatMoment(closedUntil)}`, style: 'red' };
  if (breaker === 'trying') return { text: 'tries one at a time', style: 'yellow' };
  return nextAt === null ? 'open' : `next ${formatMoment(nextAt)}`;
}

/** `5 at once`, `100 in 60 s`. */
export function spellTerms({ max, perMs, burst, share, of, pauseMs, onFailure, onDead }: RuleTerms): string {
  if (perMs !== undefined) return `${max} in ${perMs / 1_000} s, ${burst} at once`;
  if (max !== undefined) return `${max} at once`;
  if (share !== undefined) return `${share * 100} % of ${of}, then ${pauseMs! / 1_000} s`;
  return onFailure === undefined ? 'turns' : `${onFailure}, ${onDead} when dead`;
}

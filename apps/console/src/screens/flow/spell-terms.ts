import type { FlowTerms, RuleKind } from '../../api/flow-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatDuration } from '../../time/format-duration.js';

const words = texts.flow.terms;

/** What holds of a rule, in words. `isOfEach`: it has a key for each value. */
export function spellTerms(kind: RuleKind, terms: FlowTerms, isOfEach = false): string {
  const { max = 0, perMs = 0, burst, share = 0, of = 0, pauseMs = 0, onFailure = 'wait', onDead } = terms;
  switch (kind) {
    case 'limit':
      return (isOfEach ? words.limitOfEach : words.limit)(formatCount(max));
    case 'rate':
      return (
        words.rate(formatCount(max), formatDuration(perMs)) +
        (burst === undefined ? '' : words.burst(formatCount(burst)))
      );
    case 'order':
      return words.order[onFailure] + (onDead === 'block' ? words.blocks : '');
    case 'tenant':
      return words.tenant;
    case 'breaker':
      return words.breaker(formatShare(share), formatCount(of), formatDuration(pauseMs));
  }
}

export const formatShare = (share: number): string =>
  share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;

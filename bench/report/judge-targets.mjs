import { formatNumber } from './format-number.mjs';

/**
 * Holds a figure of Duework against its targets: `{ times, of, in }` (that many times the figure of another system, of the best
 * rival, or of another measure), `{ atLeast }`, `{ atMost }`.
 *
 * @returns {{ text: string, isMet: boolean | null }[]} null: there is nothing to compare with
 */
export function judgeTargets({ figure, measure, summary, best }) {
  const own = summary[measure.name].duework?.[figure.key];
  return (figure.targets ?? []).map((target) => {
    const { text, limit, isLess } = boundOf(target, { figure, measure, summary, best });
    if (own === undefined || limit === undefined) return { text, isMet: null };
    return { text, isMet: isLess ? own <= limit : own >= limit };
  });
}

function boundOf(target, { figure, measure, summary, best }) {
  if (target.atLeast !== undefined)
    return { text: `≥ ${formatNumber(target.atLeast)}`, limit: target.atLeast, isLess: false };
  if (target.atMost !== undefined)
    return { text: `≤ ${formatNumber(target.atMost)}`, limit: target.atMost, isLess: true };
  const isLess = figure.isLessBetter === true;
  const other = target.of === 'best' ? best : summary[target.in ?? measure.name]?.[target.of]?.[figure.key];
  return {
    text: `${isLess ? '≤' : '≥'} ${target.times} × ${target.called ?? target.of}`,
    limit: other === undefined ? undefined : other * target.times,
    isLess,
  };
}

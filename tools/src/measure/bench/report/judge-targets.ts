import type { Figure, Measure, Target } from '../measures/measure.js';
import type { SystemName } from '../systems/system.js';
import { findMedian, formatNumber, type Summary } from './run.js';

export interface JudgedTarget {
  readonly text: string;
  /** null: there is no figure to compare with. */
  readonly isMet: boolean | null;
}

interface Judging {
  readonly figure: Figure;
  readonly measure: Measure;
  readonly summary: Summary;
  /** The system whose targets are judged; undefined: no engine of ours was measured. */
  readonly own: SystemName | undefined;
  /** The figure of the best rival. */
  readonly best: number | undefined;
}

/** Compares a figure of Duework with its targets. */
export function judgeTargets(judging: Judging): JudgedTarget[] {
  const { figure, measure, summary, own } = judging;
  const value = own === undefined ? undefined : findMedian(summary, measure.name, own, figure.key);
  return (figure.targets ?? []).map((target) => {
    const { text, limit, isLess } = boundOf(target, judging);
    if (value === undefined || limit === undefined) return { text, isMet: null };
    return { text, isMet: isLess ? value <= limit : value >= limit };
  });
}

interface Bound {
  readonly text: string;
  readonly limit: number | undefined;
  readonly isLess: boolean;
}

function boundOf(target: Target, { figure, measure, summary, own, best }: Judging): Bound {
  if ('atLeast' in target) return { text: `≥ ${formatNumber(target.atLeast)}`, limit: target.atLeast, isLess: false };
  if ('atMost' in target) return { text: `≤ ${formatNumber(target.atMost)}`, limit: target.atMost, isLess: true };
  const { times, of, in: where = measure.name, called = of } = target;
  const isLess = figure.isLessBetter === true;
  const name = of === 'own' ? own : of;
  const other = name === 'best' ? best : name && findMedian(summary, where, name, figure.key);
  return {
    text: `${isLess ? '≤' : '≥'} ${times} × ${called}`,
    limit: other === undefined ? undefined : other * times,
    isLess,
  };
}

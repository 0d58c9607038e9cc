import { useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useSteps } from '../../api/use-steps.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { OptionRow } from '../../ui/inputs/option-row.js';
import { ProblemState } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { isOver, useJob, type ReadJob } from '../job/use-job.js';
import { compareFacts } from './compare-facts.js';
import { compareFields } from './compare-fields.js';
import { compareSteps } from './compare-steps.js';
import { FieldPairs } from './field-pairs.js';
import { OtherForm } from './other-form.js';
import { Parting } from './parting.js';
import { Sides } from './sides.js';
import { StepPairs } from './step-pairs.js';
import { useLastSucceeded } from './use-compared.js';

const words = texts.compare;

/**
 * Two jobs side by side: what differs in their facts, steps, times and payloads. By default with the last that
 * succeeded.
 */
export function CompareScreen() {
  const { id } = useParams({ from: '/jobs/$id/compare' });
  const { with: asked } = useSearch({ from: '/jobs/$id/compare' });
  const { history } = useRouter();
  const one = useJob(id);
  const last = useLastSucceeded(one.data?.job, asked === undefined);
  const otherId = asked ?? last.data ?? null;
  const other = useJob(otherId ?? '', otherId !== null);
  usePageTitle(words.pageTitle);
  useShortcuts([{ keys: 'u', words: texts.keys.back, group: 'here', run: () => history.back() }]);
  if (one.data === undefined)
    return one.error !== null && <ProblemState error={one.error} onRetry={() => void one.refetch()} />;
  const problem = other.error ?? last.error;
  return (
    <div className="mx-auto max-w-6xl px-6 py-5 max-md:px-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="mr-auto text-lg font-semibold tracking-tight break-words">{words.title(one.data.job.type)}</h1>
        <OtherForm id={id} other={otherId} />
      </header>
      {other.data !== undefined ? (
        <Compared one={one.data} other={other.data} isLast={asked === undefined} />
      ) : problem !== null ? (
        <ProblemState error={problem} onRetry={() => void other.refetch()} />
      ) : (
        last.data === null && <p className="mt-6 text-soft">{words.none}</p>
      )}
    </div>
  );
}

interface ComparedProps {
  readonly one: ReadJob;
  readonly other: ReadJob;
  readonly isLast: boolean;
}

const SHOWN = [
  { id: 'differences', content: words.differences },
  { id: 'everything', content: words.everything },
] as const;

function Compared({ one, other, isLast }: ComparedProps) {
  const [shown, show] = useState<'differences' | 'everything'>('differences');
  const mine = useSteps(one.job.id, !isOver(one.job));
  const theirs = useSteps(other.job.id, !isOver(other.job));
  const steps = compareSteps(mine.steps, theirs.steps);
  const isAll = shown === 'everything';
  return (
    <>
      <Sides one={one.job} other={other.job} isLast={isLast} />
      {one.job.type !== other.job.type && <p className="mt-2 text-failed">{words.otherType}</p>}
      <Parting steps={steps} />
      <div className="mt-6">
        <OptionRow label={words.show} value={shown} options={SHOWN} onChange={show} />
      </div>
      <FieldPairs title={words.facts} name={words.fact} pairs={compareFacts(one.job, other.job)} isAll={isAll} />
      {steps.length > 0 && <StepPairs pairs={steps} isAll={isAll} />}
      {(['payload', 'result'] as const).map((part) => {
        const [left, right] = [one.raw.get(part), other.raw.get(part)];
        if (left === undefined || right === undefined)
          return part === 'payload' ? (
            <p key={part} className="mt-6 text-soft">
              {words.withheld}
            </p>
          ) : null;
        const pairs = compareFields(left, right).filter(
          ({ one: mine, other: its }) => mine !== 'null' || its !== 'null',
        );
        return pairs.length === 0 ? null : (
          <FieldPairs key={part} title={words[part]} name={words.field} pairs={pairs} isAll={isAll} isCode />
        );
      })}
    </>
  );
}

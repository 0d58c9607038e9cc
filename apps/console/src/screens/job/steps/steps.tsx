import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../../api/api-types.js';
import { texts } from '../../../texts/texts.js';
import { formatCount } from '../../../time/format-count.js';
import { Button } from '../../../ui/inputs/button.js';
import { GraphPicture } from './graph-picture.js';
import { useMay } from '../../../session/use-principal.js';
import type { JobDetail } from '../use-job.js';
import { isOver } from '../use-job.js';
import { VerbDialog } from '../verb-dialog.js';
import { StepRow } from './step-row.js';

const words = texts.job.steps;
const FEW = 50;

interface StepsProps {
  readonly page: Schemas['StepPage'];
  readonly job: JobDetail;
}

/** What a durable job has done and waits for, with the picture of a workflow. Nothing where there is none. */
export function Steps({ page: { steps, nextCursor, graph }, job }: StepsProps) {
  const [isAll, showAll] = useState(false);
  const [from, retryFrom] = useState<string | null>(null);
  const mayRetry = useMay('operate') && job.status !== 'running' && job.status !== 'succeeded';
  if (steps.length === 0) return null;
  const isIndented = steps.some(({ result }) => result !== undefined && result !== null);
  const shown = isAll ? steps : steps.slice(0, FEW);
  return (
    <section className="mt-6">
      <h2 className="mb-1.5 text-sm font-semibold">{words.title}</h2>
      <GraphPicture jobs={graph} isOver={isOver(job)} />
      <ul aria-label={words.title} className="divide-y divide-line/70 rounded-md border border-line bg-surface">
        {shown.map((step) => (
          <StepRow
            key={step.name}
            step={step}
            isIndented={isIndented}
            onRetry={mayRetry && step.status !== 'waiting' ? () => retryFrom(step.name) : null}
          />
        ))}
      </ul>
      {shown.length < steps.length && (
        <Button kind="quiet" className="mt-1" onClick={() => showAll(true)}>
          {words.all(formatCount(steps.length, nextCursor !== null))}
        </Button>
      )}
      {isAll && nextCursor !== null && <p className="mt-1 text-soft">{words.more(formatCount(steps.length))}</p>}
      {from !== null && <VerbDialog verb="retry" job={job} fromStep={from} onClose={() => retryFrom(null)} />}
    </section>
  );
}

/** Of which job this one is a step. */
export function Parent({ id }: { readonly id: string | null }) {
  if (id === null) return null;
  return (
    <p className="mt-1 text-soft">
      {words.stepOf}{' '}
      <Link to="/jobs/$id" params={{ id }} className="linked">
        {texts.job.title(id)}
      </Link>
    </p>
  );
}

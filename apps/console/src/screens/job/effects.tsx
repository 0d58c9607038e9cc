import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useEffects, type Effect } from '../../api/use-effects.js';
import { useMay } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { Age } from '../../ui/marks/moment.js';
import { SeverityShape } from '../../ui/marks/severity-shape.js';
import type { JobDetail } from './use-job.js';
import { VerbDialog } from './verb-dialog.js';

const words = texts.job;

/** What the job does so that it happens once: whether it happened, and what only a person can say. Nothing where there is none. */
export function Effects({ job }: { readonly job: JobDetail }) {
  const { data: effects = [] } = useEffects(job.id);
  if (effects.length === 0) return null;
  const isAsked = job.status === 'dead' && effects.some(({ status }) => status === 'unknown');
  return (
    <section className="mt-6">
      <h2 className="mb-1.5 text-sm font-semibold">{words.effects}</h2>
      {isAsked && <Question job={job} />}
      <ul aria-label={words.effects} className="divide-y divide-line/70 rounded-md border border-line bg-surface">
        {effects.map((effect) => (
          <EffectRow key={`${effect.key} ${effect.name}`} effect={effect} job={job} />
        ))}
      </ul>
    </section>
  );
}

function Question({ job }: { readonly job: JobDetail }) {
  const [isOpen, open] = useState(false);
  const mayOperate = useMay('operate');
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-failed/50 bg-failed-wash px-3 py-2">
      <p className="min-w-60 flex-1">{words.effect.question}</p>
      {mayOperate && <Button onClick={() => open(true)}>{words.effect.say}</Button>}
      {isOpen && <VerbDialog verb="retry" job={job} onClose={() => open(false)} />}
    </div>
  );
}

const SEVERITIES = { done: 'well', started: 'told', approved: 'told', undone: 'told', unknown: 'warning' } as const;

function EffectRow({ effect, job }: { readonly effect: Effect; readonly job: JobDetail }) {
  const { name, key, status, jobId, startedAt, doneAt } = effect;
  const isOwnKey = key === (job.idempotencyKey ?? `run:${job.id}`);
  const isCutOff = status === 'started' && !(job.status === 'running' && jobId === job.id);
  return (
    <li className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5 px-3 py-2">
      <SeverityShape severity={isCutOff ? 'warning' : SEVERITIES[status]} />
      <code className="font-mono text-xs font-medium break-all">{name}</code>
      <span className="text-soft">
        {status === 'started' ? (isCutOff ? words.effect.cutOff : words.effect.doing) : words.effect[status]}
      </span>
      {!isOwnKey && <span className="font-mono text-xs break-all text-faint">{words.effect.of(key)}</span>}
      {jobId !== job.id && (
        <Link to="/jobs/$id" params={{ id: jobId }} className="text-xs underline decoration-line-strong">
          {words.effect.by(jobId)}
        </Link>
      )}
      <span className="ml-auto text-xs whitespace-nowrap text-faint">
        <Age at={doneAt ?? startedAt} />
      </span>
    </li>
  );
}

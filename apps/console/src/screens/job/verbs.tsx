import { useState } from 'react';
import { useMay } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/button.js';
import { isOver, type JobDetail } from './use-job.js';
import { VerbDialog, type Verb } from './verb-dialog.js';

const words = texts.job;

/** What may be done to a job in its status. Each asks first, so that no single key or click changes anything. */
export function Verbs({ job }: { readonly job: JobDetail }) {
  const [verb, ask] = useState<Verb | null>(null);
  if (!useMay('operate')) return null;
  const isWaiting = job.status === 'queued' || job.status === 'failed';
  const isBack = job.status === 'dead' || job.status === 'cancelled';
  return (
    <div className="flex flex-wrap gap-1.5">
      {isBack && (
        <Button kind="primary" onClick={() => ask('retry')}>
          {words.retry}
        </Button>
      )}
      {isWaiting && <Button onClick={() => ask('retry')}>{words.runNow}</Button>}
      {job.status === 'dead' && job.acknowledgedAt === null && (
        <Button onClick={() => ask('acknowledge')}>{words.acknowledge}</Button>
      )}
      {!isOver(job) && (
        <Button kind="danger" disabled={job.cancelRequestedAt !== null} onClick={() => ask('cancel')}>
          {words.cancel}
        </Button>
      )}
      {verb !== null && <VerbDialog verb={verb} job={job} onClose={() => ask(null)} />}
    </div>
  );
}

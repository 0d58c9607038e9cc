import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Verb as BulkVerb } from '../../bulk/bulk-choice.js';
import { BulkDialog } from '../../bulk/bulk-dialog.js';
import { listOneVerbs } from '../../bulk/one-job.js';
import { listFields } from '../../json/list-fields.js';
import { useMayEnqueue } from '../../session/use-may-enqueue.js';
import { useMay, usePrincipal } from '../../session/use-principal.js';
import { useIsDone } from '../../session/use-refusal.js';
import { texts } from '../../texts/texts.js';
import { Button, buttonLook } from '../../ui/inputs/button.js';
import { Menu, MenuItem } from '../../ui/inputs/menu.js';
import { isOver, type JobDetail } from './use-job.js';
import { VerbDialog, type Verb } from './verb-dialog.js';

const words = texts.job;

interface VerbsProps {
  readonly job: JobDetail;
  /** As it is written; undefined: it is withheld. */
  readonly payload: string | undefined;
  /** Told when an action goes on behind its dialog. */
  readonly onBegun: () => void;
}

/** What may be done to a job in its status. Each asks first, so that no single key or click changes anything. */
export function Verbs({ job, payload, onBegun }: VerbsProps) {
  const [verb, ask] = useState<Verb | null>(null);
  const mayOperate = useMay('operate');
  const mayEnqueue = useMayEnqueue(job.type);
  const isWaiting = job.status === 'queued' || job.status === 'failed';
  const isBack = job.status === 'dead' || job.status === 'cancelled';
  return (
    <div className="flex flex-wrap gap-1.5">
      {mayOperate && isBack && (
        <Button kind="primary" onClick={() => ask('retry')}>
          {words.retry}
        </Button>
      )}
      {mayEnqueue && payload !== undefined && (
        <Link
          to="/contracts/$type/enqueue"
          params={{ type: job.type }}
          search={{ like: job.id, batch: undefined }}
          className={buttonLook()}
        >
          {texts.enqueue.again}
        </Link>
      )}
      <Link to="/jobs/$id/compare" params={{ id: job.id }} search={{ with: undefined }} className={buttonLook()}>
        {texts.compare.action}
      </Link>
      {mayOperate && isWaiting && <Button onClick={() => ask('retry')}>{words.runNow}</Button>}
      {mayOperate && job.status === 'dead' && job.acknowledgedAt === null && (
        <Button onClick={() => ask('acknowledge')}>{words.acknowledge}</Button>
      )}
      {mayOperate && <MoreVerbs job={job} payload={payload} onBegun={onBegun} />}
      {mayOperate && !isOver(job) && (
        <Button kind="danger" disabled={job.cancelRequestedAt !== null} onClick={() => ask('cancel')}>
          {words.cancel}
        </Button>
      )}
      {verb !== null && <VerbDialog verb={verb} job={job} onClose={() => ask(null)} />}
    </div>
  );
}

/** The verbs of bulk actions, for this job alone. A key for some types may begin none. */
function MoreVerbs({ job, payload, onBegun }: VerbsProps) {
  const [verb, ask] = useState<BulkVerb | null>(null);
  const isForAll = usePrincipal().data?.types === null;
  const hasBulk = useIsDone('startBulkAction');
  const fields = payload === undefined ? [] : listFields(payload);
  const verbs = listOneVerbs(job, { hasKey: job.idempotencyKey !== null, hasFields: payload !== undefined });
  if (!isForAll || !hasBulk || (verbs.length === 0 && verb === null)) return null;
  return (
    <>
      {verbs.length > 0 && (
        <Menu label={words.more}>
          {verbs.map((one) => (
            <MenuItem key={one} onSelect={() => ask(one)}>
              {texts.bulk.one.verbs[one]}
            </MenuItem>
          ))}
        </Menu>
      )}
      {verb !== null && (
        <BulkDialog
          verb={verb}
          one={{ ...job, fields: fields.filter(({ json }) => json !== '"[sensitive]"') }}
          onClose={() => ask(null)}
          onBegun={onBegun}
        />
      )}
    </>
  );
}

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { MOMENTS, useBatch, type Batch } from '../../api/batch-queries.js';
import { parseFilter } from '../../parse-filter.js';
import { useMay, usePrincipal } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { Button } from '../../ui/inputs/button.js';
import { Bar } from '../../ui/marks/bar.js';
import { CancelBatchDialog } from '../batch/cancel-batch-dialog.js';

const words = texts.batch;

/** Of a filter that asks for the jobs of one batch: how far that is, and what was enqueued because of it. */
export function BatchStrip({ filter }: { readonly filter: string }) {
  const id = readBatchId(filter);
  // a key for some types sees no batch, because it may have jobs of others
  const isForAll = usePrincipal().data?.types === null;
  const { data: batch } = useBatch(id, isForAll);
  return id === null || batch === undefined ? null : <Strip batch={batch} />;
}

function Strip({ batch }: { readonly batch: Batch }) {
  const [isCancelling, ask] = useState(false);
  const mayCancel = useMay('operate') && batch.open > 0;
  const ended = batch.jobs - batch.open;
  return (
    <section aria-label={words.title} className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <Link to="/batches/$id" params={{ id: batch.id }} className="font-medium break-all linked">
        {batch.name ?? words.title}
      </Link>
      <span className="inline-flex items-center gap-2">
        <Bar
          value={batch.jobs === 0 ? 1 : ended}
          max={Math.max(1, batch.jobs)}
          aria-label={words.ended}
          className="w-40"
        />
        {words.progress(formatCount(ended), formatCount(batch.jobs))}
      </span>
      {batch.dead > 0 && <span className="text-dead">{words.dead(formatCount(batch.dead))}</span>}
      {batch.cancelled > 0 && <span className="text-soft">{words.cancelled(formatCount(batch.cancelled))}</span>}
      {MOMENTS.map((moment) => {
        const job = batch.callbacks[moment];
        return (
          job !== null && (
            <Link key={moment} to="/jobs/$id" params={{ id: job }} className="linked">
              {words.callbacks[moment]}
            </Link>
          )
        );
      })}
      {mayCancel && (
        <Button kind="danger" className="ml-auto" onClick={() => ask(true)}>
          {words.cancel}
        </Button>
      )}
      {isCancelling && <CancelBatchDialog batch={batch} onClose={() => ask(false)} />}
    </section>
  );
}

/** The only batch that a filter asks for; null: it asks for none, or for several. */
function readBatchId(filter: string): string | null {
  const parsed = parseFilter(filter);
  if (!parsed.isOk) return null;
  const asked = parsed.filter.terms.flatMap((term) => (term.field === 'batch' && !term.isNot ? term.values : []));
  return asked.length === 1 ? asked[0]! : null;
}

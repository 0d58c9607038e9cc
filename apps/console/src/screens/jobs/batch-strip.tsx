import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../api/api-types.js';
import { callApi } from '../../api/call-api.js';
import { parseFilter } from '../../parse-filter.js';
import { useMay, usePrincipal } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { Button } from '../../ui/inputs/button.js';
import { Bar } from '../../ui/marks/bar.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';

const words = texts.batch;
const EVERY_MS = 2_000;
const MOMENTS = ['onSettled', 'onSucceeded', 'onFirstDead'] as const;

/** Of a filter that asks for the jobs of one batch: how far that is, and what was enqueued because of it. */
export function BatchStrip({ filter }: { readonly filter: string }) {
  const id = readBatchId(filter);
  // a key for some types sees no batch, because it may have jobs of others
  const isForAll = usePrincipal().data?.types === null;
  const { data: batch } = useQuery({
    queryKey: ['batch', id],
    queryFn: ({ signal }) => callApi('getBatch', { params: { id: id! }, signal }),
    enabled: id !== null && isForAll,
    retry: false,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.open === 0 ? false : EVERY_MS),
  });
  return id === null || batch === undefined ? null : <Strip batch={batch} />;
}

function Strip({ batch }: { readonly batch: Schemas['Batch'] }) {
  const [isCancelling, ask] = useState(false);
  const mayCancel = useMay('operate') && batch.open > 0;
  const ended = batch.jobs - batch.open;
  return (
    <section aria-label={words.title} className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <span className="font-medium break-all">{batch.name ?? words.title}</span>
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
      {isCancelling && <CancelDialog batch={batch} onClose={() => ask(false)} />}
    </section>
  );
}

function CancelDialog({ batch, onClose }: { readonly batch: Schemas['Batch']; readonly onClose: () => void }) {
  const [reason, setReason] = useState('');
  const client = useQueryClient();
  const doing = useMutation({
    mutationFn: () =>
      callApi('cancelBatch', { params: { id: batch.id }, body: reason.trim() === '' ? {} : { reason: reason.trim() } }),
    onSuccess({ batch: after }) {
      client.setQueryData(['batch', batch.id], after);
      void client.invalidateQueries({ queryKey: ['jobs'] });
      onClose();
    },
  });
  return (
    <ReasonDialog
      title={words.cancelTitle}
      reason={reason}
      onReason={setReason}
      error={doing.error}
      onClose={onClose}
      actions={
        <Button kind="danger" disabled={doing.isPending} onClick={() => doing.mutate()}>
          {words.cancel}
        </Button>
      }
    >
      <p className="text-soft">{words.cancelWords(formatCount(batch.open))}</p>
    </ReasonDialog>
  );
}

/** The only batch that a filter asks for; null: it asks for none, or for several. */
function readBatchId(filter: string): string | null {
  const parsed = parseFilter(filter);
  if (!parsed.isOk) return null;
  const asked = parsed.filter.terms.flatMap((term) => (term.field === 'batch' && !term.isNot ? term.values : []));
  return asked.length === 1 ? asked[0]! : null;
}

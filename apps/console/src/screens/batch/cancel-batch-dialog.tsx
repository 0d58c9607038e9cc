import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Batch } from '../../api/batch-queries.js';
import { callApi } from '../../api/call-api.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { Button } from '../../ui/inputs/button.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';

const words = texts.batch;

/** Asks whether what is left of a batch shall be cancelled, and why. */
export function CancelBatchDialog({ batch, onClose }: { readonly batch: Batch; readonly onClose: () => void }) {
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

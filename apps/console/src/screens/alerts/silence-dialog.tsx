import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../api/call-api.js';
import type { Alert } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { RadioRow } from '../../ui/inputs/radio-row.js';
import { notDoneIn } from '../../ui/missing-shards.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import { useToasts } from '../../ui/toasts.js';

const words = texts.alerts;
const SPANS = ['1h', '4h', '1d', '7d'] as const;

/** Asks for how long nobody is told of an alert: of this one, of all with its name, or of all. */
export function SilenceDialog({ alert, onClose }: { readonly alert: Alert; readonly onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [span, setSpan] = useState<(typeof SPANS)[number]>('1h');
  const [key, setKey] = useState(alert.key);
  const client = useQueryClient();
  const toasts = useToasts();
  const why = reason.trim();
  const doing = useMutation({
    mutationFn: () => callApi('silenceAlert', { body: { key, for: span, ...(why === '' ? {} : { reason: why }) } }),
    onSuccess(answer) {
      void client.invalidateQueries({ queryKey: ['alerts'] });
      toasts.add({ title: words.doneSilence, ...notDoneIn(answer) });
      onClose();
    },
  });
  const keys = [...new Set([alert.key, alert.name, '*'])];
  return (
    <ReasonDialog
      title={words.silenceTitle}
      label={words.reason}
      reason={reason}
      onReason={setReason}
      error={doing.error}
      onClose={onClose}
      onSubmit={() => doing.mutate()}
      actions={
        <Button type="submit" kind="primary" disabled={doing.isPending}>
          {words.silence}
        </Button>
      }
    >
      <p className="text-soft">{words.silenceWords}</p>
      <RadioRow
        name="key"
        legend={words.which}
        options={keys.map((id) => ({ id, text: id === '*' ? words.all : id }))}
        chosen={key}
        onChoose={setKey}
      />
      <RadioRow
        name="span"
        legend={words.howLong}
        options={SPANS.map((id) => ({ id, text: words.spans[id] }))}
        chosen={span}
        onChoose={setSpan}
      />
    </ReasonDialog>
  );
}

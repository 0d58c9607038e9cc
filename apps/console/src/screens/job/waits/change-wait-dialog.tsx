import { useState } from 'react';
import { callApi } from '../../../api/call-api.js';
import type { Step } from '../../../api/use-steps.js';
import { texts } from '../../../texts/texts.js';
import { Button } from '../../../ui/inputs/button.js';
import { TextField } from '../../../ui/inputs/text-field.js';
import { ReasonDialog } from '../../../ui/reason-dialog.js';
import { useChange } from './use-change.js';

export type WaitVerb = 'skip' | 'fail' | 'extend';

interface ChangeWaitDialogProps {
  readonly id: string;
  readonly step: Step;
  readonly verb: WaitVerb;
  readonly onClose: () => void;
}

const words = texts.job.waits;

/** Asks whether to end a wait, or until when to extend it, and why. */
export function ChangeWaitDialog({ id, step: { name }, verb, onClose }: ChangeWaitDialogProps) {
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const change = useChange(
    id,
    () =>
      callApi('changeWait', {
        params: { id },
        body: {
          name,
          verb,
          ...(verb === 'extend' ? { until: new Date(until).toISOString() } : {}),
          ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
        },
      }),
    words.done[verb],
    onClose,
  );
  const isReady = verb !== 'extend' || until !== '';
  return (
    <ReasonDialog
      title={words.titles[verb](name)}
      reason={reason}
      onReason={setReason}
      error={change.error}
      onClose={onClose}
      onSubmit={() => (isReady ? change.mutate(undefined) : undefined)}
      actions={
        <Button type="submit" kind={verb === 'fail' ? 'danger' : 'primary'} disabled={change.isPending || !isReady}>
          {words.verbs[verb]}
        </Button>
      }
    >
      <p className="text-soft">{words.explained[verb]}</p>
      {verb === 'extend' && (
        <TextField label={words.newDeadline} type="datetime-local" required value={until} onText={setUntil} />
      )}
    </ReasonDialog>
  );
}

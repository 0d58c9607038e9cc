import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Pause } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { serverNow } from '../../time/server-clock.js';
import { Button } from '../../ui/inputs/button.js';
import { notDoneIn } from '../../ui/missing-shards.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import { useToasts } from '../../ui/toasts.js';
import { EndFields } from './end-fields.js';
import { PauseLine } from './pause-line.js';
import { changePause } from './change-pause.js';
import { ENDS, findEnd, type End } from './pause-ends.js';

const words = texts.queues;

export interface PauseTarget {
  readonly kind: Pause['kind'];
  readonly name: string;
  /** null: it is not paused, and may be. */
  readonly pause: Pause | null;
  readonly due: number;
}

/** Asks until when to pause and why, or whether to resume. */
export function PauseDialog({ target, onClose }: { readonly target: PauseTarget; readonly onClose: () => void }) {
  const { kind, name, pause, due } = target;
  const [reason, setReason] = useState('');
  const [end, setEnd] = useState<End>('open');
  const [ownEnd, setOwnEnd] = useState('');
  const client = useQueryClient();
  const toasts = useToasts();
  const isPause = pause === null;
  const doing = useMutation({
    mutationFn: () =>
      changePause({
        kind,
        name,
        isPause,
        reason: reason.trim(),
        until: isPause ? findEnd(end, ownEnd, serverNow()) : null,
      }),
    onSuccess(answer) {
      void client.invalidateQueries({ queryKey: ['queues'] });
      toasts.add({ title: isPause ? words.donePause(name) : words.doneResume(name), ...notDoneIn(answer) });
      onClose();
    },
  });
  const isReady = !isPause || end !== 'own' || ownEnd !== '';
  return (
    <ReasonDialog
      title={isPause ? words.pauseTitle(kind, name) : words.resumeTitle(kind, name)}
      label={isPause ? words.reason : texts.job.reason}
      reason={reason}
      onReason={setReason}
      error={doing.error}
      onClose={onClose}
      onSubmit={() => (isReady ? doing.mutate() : undefined)}
      actions={
        <Button type="submit" kind="primary" disabled={doing.isPending || !isReady}>
          {isPause ? words.pause : words.resume}
        </Button>
      }
    >
      {pause === null ? (
        <p className="text-soft">{words.pauseWords}</p>
      ) : (
        <>
          <PauseLine pause={pause} />
          <p className="mt-2 text-soft">{words.resumeWords(formatCount(due), due)}</p>
        </>
      )}
      {isPause && <EndFields ends={ENDS} end={end} ownEnd={ownEnd} onEnd={setEnd} onOwnEnd={setOwnEnd} />}
    </ReasonDialog>
  );
}

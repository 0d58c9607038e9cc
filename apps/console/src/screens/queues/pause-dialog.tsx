import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Pause } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { serverNow } from '../../time/server-clock.js';
import { Button } from '../../ui/inputs/button.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import { useToasts } from '../../ui/toasts.js';
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
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['queues'] });
      toasts.add({ title: isPause ? words.donePause(name) : words.doneResume(name) });
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
      {isPause && (
        <fieldset className="mt-4">
          <legend className="mb-1 text-soft">{words.endLabel}</legend>
          <div className="flex flex-wrap gap-1.5">
            {ENDS.map((one) => (
              <label
                key={one}
                className="inline-flex h-8 items-center gap-1.5 rounded-md border border-line px-2.5 has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-10"
              >
                <input type="radio" name="end" checked={end === one} onChange={() => setEnd(one)} />
                {words.ends[one]}
              </label>
            ))}
          </div>
          {end === 'own' && (
            <label className="mt-2 flex flex-col gap-1">
              <span className="text-soft">{words.ownEnd}</span>
              <input
                type="datetime-local"
                required
                value={ownEnd}
                onChange={({ target }) => setOwnEnd(target.value)}
                className="h-9 w-60 max-w-full rounded-md border border-line-strong bg-surface px-3"
              />
            </label>
          )}
        </fieldset>
      )}
    </ReasonDialog>
  );
}

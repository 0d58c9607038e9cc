import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ApiError } from '../../api/api-error.js';
import { callApi } from '../../api/call-api.js';
import type { Schedule } from '../../api/use-schedules.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { Dialog } from '../../ui/dialog.js';
import { useToasts } from '../../ui/toasts.js';
import { EditFields } from './edit-fields.js';
import { findObstacle, readDraft, ruleOf, toRequest } from './read-draft.js';
import { RulePreview } from './rule-preview.js';
import { useRulePreview } from './use-rule-preview.js';

const words = texts.schedules;

interface EditDialogProps {
  readonly schedule: Schedule;
  readonly payload: string | undefined;
  readonly onClose: () => void;
}

/** Edits the rule and the policies of a schedule, beside what they mean. */
export function EditDialog({ schedule, payload, onClose }: EditDialogProps) {
  const obstacle = findObstacle(payload);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.editTitle(schedule.key)}
      className="w-[min(44rem,calc(100vw-1.5rem))]!"
    >
      {obstacle === null ? (
        <EditForm schedule={schedule} payload={payload!} onClose={onClose} />
      ) : (
        <>
          <p className="text-soft">{words[obstacle]}</p>
          <div className="mt-5 flex justify-end">
            <Button onClick={onClose}>{texts.app.close}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function EditForm({ schedule, payload, onClose }: EditDialogProps & { readonly payload: string }) {
  const [draft, change] = useState(() => readDraft(schedule));
  const [reason, setReason] = useState('');
  const client = useQueryClient();
  const toasts = useToasts();
  const preview = useRulePreview(ruleOf(draft, schedule));
  const saving = useMutation({
    mutationFn: () =>
      callApi('saveSchedule', {
        params: { key: schedule.key, reason: reason.trim() || undefined },
        body: toRequest(draft, schedule, JSON.parse(payload) as unknown),
      }),
    onSuccess() {
      toasts.add({ title: words.done.edit });
      onClose();
      for (const name of ['schedule', 'schedules', 'dueTimes']) void client.invalidateQueries({ queryKey: [name] });
    },
  });
  const error = preview.error ?? saving.error;
  const faults = error instanceof ApiError ? error.faults : [];
  const isInField = faults.some(({ pointer }) => [`/${draft.kind}`, '/timeZone'].includes(pointer));

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (preview.error === null) saving.mutate();
  }

  return (
    <form onSubmit={submit}>
      {schedule.source === 'code' && (
        <p className="mb-3 rounded-md bg-failed-wash px-3 py-2 text-failed">{words.editCode}</p>
      )}
      <EditFields draft={draft} onChange={change} faults={faults} />
      <RulePreview preview={preview} error={error} isInField={isInField} />
      <label className="mt-4 flex flex-col gap-1">
        <span className="text-soft">{words.reason}</span>
        <input
          value={reason}
          maxLength={1_000}
          onChange={({ target }) => setReason(target.value)}
          className="h-9 rounded-md border border-line-strong bg-surface px-3"
        />
      </label>
      <div className="mt-5 flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto text-xs text-faint">{words.previewChanged}</p>
        <Button onClick={onClose}>{texts.job.keep}</Button>
        <Button kind="primary" type="submit" disabled={saving.isPending || preview.error !== null}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}

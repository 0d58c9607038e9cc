import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { ApiError } from '../../api/api-error.js';
import { saveSchedule } from '../../api/save-schedule.js';
import { useContracts } from '../../api/use-contracts.js';
import { isJson } from '../../schema/print-draft.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { Dialog } from '../../ui/dialog.js';
import { ProblemState } from '../../ui/problem-state.js';
import { TextField } from '../../ui/inputs/text-field.js';
import { useToasts } from '../../ui/toasts.js';
import { EditFields } from '../schedule/edit-fields.js';
import { ruleOf } from '../schedule/read-draft.js';
import { RulePreview } from '../schedule/rule-preview.js';
import { useRulePreview } from '../schedule/use-rule-preview.js';
import { NO_BOUNDS, startSchedule, startText, type NewSchedule } from './new-schedule.js';
import { PayloadFields } from './payload-fields.js';

const words = texts.schedules;

/** Makes a schedule: what it enqueues, and when, beside what that means. */
export function NewScheduleDialog({ onClose }: { readonly onClose: () => void }) {
  const { data, error } = useContracts();
  return (
    // what has the focus is never below the row of its actions
    <Dialog isOpen onClose={onClose} title={words.new} className="w-[min(44rem,calc(100vw-1.5rem))]! scroll-pb-20">
      {data !== undefined ? (
        <NewForm types={data} onClose={onClose} />
      ) : (
        error !== null && <ProblemState error={error} />
      )}
    </Dialog>
  );
}

interface NewFormProps {
  readonly types: NonNullable<ReturnType<typeof useContracts>['data']>;
  readonly onClose: () => void;
}

function NewForm({ types, onClose }: NewFormProps) {
  const [made, change] = useState<NewSchedule>(() => startSchedule(types));
  const [reason, setReason] = useState('');
  const client = useQueryClient();
  const toasts = useToasts();
  const navigate = useNavigate();
  const preview = useRulePreview(ruleOf(made.rule, NO_BOUNDS));
  const { key, type, payload, rule } = made;
  const saving = useMutation({
    mutationFn() {
      const body = { type, ...ruleOf(rule, NO_BOUNDS), missed: rule.missed, overlap: rule.overlap };
      return saveSchedule({
        key: key.trim(),
        reason: reason.trim(),
        body,
        payload: payload.trim() || undefined,
        isNew: true,
      });
    },
    onSuccess(saved) {
      toasts.add({ title: words.newDone(saved.key) });
      onClose();
      void client.invalidateQueries({ queryKey: ['schedules'] });
      void navigate({ to: '/schedules/$key', params: { key: saved.key } });
    },
  });
  const error = preview.error ?? saving.error;
  const isTaken = error instanceof ApiError && error.code === 'schedule_key_taken';
  const faults = isTaken
    ? [{ pointer: '/key', message: words.newTaken }]
    : error instanceof ApiError
      ? error.faults
      : [];
  const hasField = ({ pointer }: { pointer: string }): boolean =>
    [`/${rule.kind}`, '/timeZone', '/key', '/type'].includes(pointer) || pointer.startsWith('/payload');
  const notJson = payload.trim() !== '' && !isJson(payload);
  const isReady = key.trim() !== '' && type !== '' && !notJson && preview.error === null;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (isReady && !saving.isPending) saving.mutate();
  }

  return (
    <form onSubmit={submit} noValidate>
      <PayloadFields
        types={types}
        made={made}
        faults={faults}
        onChange={(next) => {
          saving.reset();
          // another type has another payload, unless somebody has written one
          const isOther = next.type !== type && payload === startText(types, type);
          change(isOther ? { ...next, payload: startText(types, next.type) } : next);
        }}
      />
      <div className="mt-4">
        <EditFields
          draft={rule}
          faults={faults}
          onChange={(next) => {
            saving.reset();
            change({ ...made, rule: next });
          }}
        />
      </div>
      <RulePreview preview={preview} error={error} isInField={faults.some(hasField)} />
      <TextField label={words.reason} value={reason} maxLength={1_000} onText={setReason} />
      {/* in sight, however long the form is */}
      <div className="sticky -bottom-5 -mx-5 mt-5 -mb-5 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-raised px-5 py-3">
        <Button onClick={onClose}>{texts.app.close}</Button>
        <Button kind="primary" type="submit" disabled={!isReady || saving.isPending}>
          {words.make}
        </Button>
      </div>
    </form>
  );
}

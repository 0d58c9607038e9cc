import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../api/call-api.js';
import { readRuleName, type FlowChange, type FlowRule } from '../../api/flow-queries.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { TextField } from '../../ui/inputs/text-field.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import { notDoneIn } from '../../ui/missing-shards.js';
import { useToasts } from '../../ui/toasts.js';
import { ChangePreview } from './change-preview.js';
import { isDuration, readChange, toDraft } from './read-change.js';
import { useChangePreview } from './use-change-preview.js';

const words = texts.flow;

interface ChangeDialogProps {
  readonly rule: FlowRule;
  readonly onClose: () => void;
}

/** Changes what holds of a rule, beside what that does. */
export function ChangeDialog({ rule, onClose }: ChangeDialogProps) {
  const labels = words.fields[rule.kind]!;
  // what somebody writes stays, whatever is read meanwhile
  const [read] = useState(rule);
  const [draft, setDraft] = useState(() => toDraft(Object.keys(labels), read.terms));
  const found = readChange(draft, read);
  const change = found !== null && 'change' in found ? found.change : undefined;
  const wrong = found !== null && 'wrong' in found ? new Error(words.notNumber(labels[found.wrong]!)) : null;
  const preview = useChangePreview(rule, change);
  const { reason, setReason, doing } = useChange(rule, 'change', onClose);
  return (
    <ReasonDialog
      title={words.changeTitle(rule.name)}
      reason={reason}
      onReason={setReason}
      error={wrong ?? preview.error ?? doing.error}
      onClose={onClose}
      onSubmit={() => change !== undefined && preview.error === null && doing.mutate(change)}
      actions={
        <Button
          type="submit"
          kind="primary"
          disabled={doing.isPending || change === undefined || preview.error !== null}
        >
          {words.change}
        </Button>
      }
    >
      <p className="text-soft">{words.changeWords}</p>
      <div className="grid grid-cols-3 gap-x-3 max-md:grid-cols-1">
        {Object.entries(labels).map(([field, label]) => (
          <TextField
            key={field}
            label={label}
            value={draft[field]!}
            inputMode={isDuration(field) ? 'text' : 'decimal'}
            placeholder={isDuration(field) ? words.hintMs : undefined}
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
            onText={(text) => setDraft({ ...draft, [field]: text })}
          />
        ))}
      </div>
      <ChangePreview rule={rule} preview={preview} />
    </ReasonDialog>
  );
}

/** Sends a change with its reason, null: all that was changed is taken back; then says so. */
export function useChange(rule: FlowRule, verb: 'change' | 'putBack', onClose: () => void) {
  const [reason, setReason] = useState('');
  const client = useQueryClient();
  const toasts = useToasts();
  const doing = useMutation({
    mutationFn: (change: FlowChange | null) =>
      callApi('changeFlowRule', {
        params: readRuleName(rule.name),
        body: { change, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
      }),
    onSuccess(answer) {
      toasts.add({ title: words.done[verb], ...notDoneIn(answer) });
      onClose();
      for (const name of ['flow', 'flow-keys']) void client.invalidateQueries({ queryKey: [name] });
    },
  });
  return { reason, setReason, doing };
}

import { useState } from 'react';
import { callApi } from '../../../api/call-api.js';
import { texts } from '../../../texts/texts.js';
import { Button } from '../../../ui/inputs/button.js';
import { ReasonDialog } from '../../../ui/reason-dialog.js';
import { useChange } from './use-change.js';
import type { Approval } from './use-approvals.js';

const words = texts.job.waits;

/** What a job asks, and a button for each choice. Each asks first, for a comment. */
export function ApprovalCard({ id, approval }: { readonly id: string; readonly approval: Approval }) {
  const { title, details, choices, by, state } = approval;
  const [choice, choose] = useState<string | null>(null);
  return (
    <div className="mt-2 rounded-md border border-line bg-sunken px-3 py-2">
      <p className="font-medium">{title}</p>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5">
        {Object.entries(details).map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-faint">{label}</dt>
            <dd className="break-words">{String(value)}</dd>
          </div>
        ))}
      </dl>
      {by !== null && <p className="mt-1 text-xs text-faint">{words.asked(by.join(', '))}</p>}
      {state === 'waiting' && (
        <div className="mt-2 flex flex-wrap gap-1.5">
          {choices.map((one) => (
            <Button key={one} onClick={() => choose(one)}>
              {one}
            </Button>
          ))}
        </div>
      )}
      {choice !== null && (
        <DecisionDialog id={id} name={approval.name} choice={choice} title={title} onClose={() => choose(null)} />
      )}
    </div>
  );
}

interface DecisionDialogProps {
  readonly id: string;
  readonly name: string;
  readonly choice: string;
  readonly title: string;
  readonly onClose: () => void;
}

function DecisionDialog({ id, name, choice, title, onClose }: DecisionDialogProps) {
  const [comment, setComment] = useState('');
  const decide = useChange(
    id,
    () =>
      callApi('decide', {
        params: { id },
        body: { name, choice, ...(comment.trim() === '' ? {} : { reason: comment.trim() }) },
      }),
    words.decided(choice),
    onClose,
  );
  return (
    <ReasonDialog
      title={title}
      label={words.comment}
      reason={comment}
      onReason={setComment}
      error={decide.error}
      onClose={onClose}
      onSubmit={() => decide.mutate(undefined)}
      actions={
        <Button type="submit" kind="primary" disabled={decide.isPending}>
          {words.decide(choice)}
        </Button>
      }
    >
      <p className="text-soft">{words.onceWords}</p>
    </ReasonDialog>
  );
}

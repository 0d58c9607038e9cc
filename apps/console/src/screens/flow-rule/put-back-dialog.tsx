import type { FlowRule } from '../../api/flow-queries.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import { useChange } from './change-dialog.js';
import { ChangePreview } from './change-preview.js';
import { useChangePreview } from './use-change-preview.js';

const words = texts.flow;

/** Takes back what was changed of a rule, beside what that does. */
export function PutBackDialog({ rule, onClose }: { readonly rule: FlowRule; readonly onClose: () => void }) {
  const preview = useChangePreview(rule, null);
  const { reason, setReason, doing } = useChange(rule, 'putBack', onClose);
  return (
    <ReasonDialog
      title={words.putBackTitle(rule.name)}
      reason={reason}
      onReason={setReason}
      error={preview.error ?? doing.error}
      onClose={onClose}
      onSubmit={() => doing.mutate(null)}
      actions={
        <Button type="submit" kind="primary" disabled={doing.isPending}>
          {words.putBack}
        </Button>
      }
    >
      <p className="text-soft">{words.putBackWords}</p>
      <ChangePreview rule={rule} preview={preview} />
    </ReasonDialog>
  );
}

import type { ReactNode } from 'react';
import { texts } from '../texts/texts.js';
import { Button } from './inputs/button.js';
import { Dialog } from './dialog.js';
import { TextField } from './inputs/text-field.js';

interface ReasonDialogProps {
  readonly title: string;
  /** What will happen, and what has to be said of it. */
  readonly children: ReactNode;
  readonly label?: string;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  /** Why it could not be done. */
  readonly error: Error | null;
  readonly onClose: () => void;
  /** Enter, in any field; absent: one of `actions` has to be pressed. */
  readonly onSubmit?: () => void;
  /** The buttons that do it, beside the one that leaves all as it is. */
  readonly actions: ReactNode;
}

/** Asks before something is done, and why it is done. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, children, label = texts.job.reason, reason, onReason, error, onClose, onSubmit, actions } = props;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        {children}
        <TextField label={label} value={reason} maxLength={1_000} onText={onReason} />
        {error !== null && (
          <p role="alert" className="mt-3 rounded-md bg-dead-wash px-3 py-2 text-dead">
            {error.message}
          </p>
        )}
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{texts.job.keep}</Button>
          {actions}
        </div>
      </form>
    </Dialog>
  );
}

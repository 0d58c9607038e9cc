import { useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error.js';
import { OPERATIONS } from '../../../api/api-types.js';
import { fillPath } from '../../../api/call-api.js';
import { sendRequest } from '../../../api/send-request.js';
import { printDraft } from '../../../schema/print-draft.js';
import { readField } from '../../../schema/read-field.js';
import { startDraft } from '../../../schema/start-draft.js';
import { texts } from '../../../texts/texts.js';
import { Dialog } from '../../../ui/dialog.js';
import { Button } from '../../../ui/inputs/button.js';
import { FieldInput } from '../../enqueue/field-input.js';
import { makeKey } from '../../../api/make-key.js';
import { useChange } from './use-change.js';
import type { SignalContract } from './use-signals.js';

interface SignalDialogProps {
  readonly id: string;
  readonly signal: SignalContract;
  /** By which the job waits, as JSON; null: it is not shown. */
  readonly waitKey: string | null;
  readonly onClose: () => void;
}

const words = texts.job.waits;

/**
 * A form of a signal's schema, in which that stands already by which the job waits. The API checks it by the contract.
 */
export function SignalDialog({ id, signal: { name, by, payloadSchema }, waitKey, onClose }: SignalDialogProps) {
  const [field] = useState(() => readField(payloadSchema ?? {}));
  const [draft, setDraft] = useState(() => startDraft(field, valuesOf(by, waitKey)));
  const key = useRef(makeKey());
  const send = useChange(
    id,
    () => sendSignal(name, printDraft(field, draft) ?? '{}', key.current),
    words.sent,
    onClose,
  );
  const faults = faultsOf(send.error);
  return (
    <Dialog isOpen onClose={onClose} title={words.sendTitle(name)}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!send.isPending) send.mutate(undefined);
        }}
      >
        <p className="mb-3 text-soft">{words.sendWords}</p>
        <FieldInput
          field={field}
          draft={draft}
          pointer=""
          faults={faults}
          onChange={(next) => {
            // another payload is another request
            key.current = makeKey();
            setDraft(next);
          }}
        />
        {send.error !== null && (
          <p role="alert" className="mt-3 rounded-md bg-dead-wash px-3 py-2 text-dead">
            {send.error.message}
          </p>
        )}
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{texts.job.keep}</Button>
          <Button type="submit" kind="primary" disabled={send.isPending}>
            {words.send}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The fields of a key, which is the JSON of one value or of a list of them. */
function valuesOf(by: readonly string[], key: string | null): Record<string, unknown> {
  if (key === null) return {};
  const values = by.length === 1 ? [JSON.parse(key) as unknown] : (JSON.parse(key) as unknown[]);
  return Object.fromEntries(by.map((field, at) => [field, values[at]]));
}

function faultsOf(error: Error | null): ReadonlyMap<string, readonly string[]> {
  if (!(error instanceof ApiError)) return new Map();
  return new Map(error.faults.map(({ pointer, message }) => [pointer, [message]]));
}

/** The JSON stays as it was typed, with numbers that JavaScript cannot hold. Sent again, it is sent once. */
function sendSignal(name: string, json: string, key: string): Promise<unknown> {
  const [method, path] = OPERATIONS.sendSignal;
  return sendRequest({ method, path: fillPath(path, { name }), json, headers: { 'Idempotency-Key': key } });
}

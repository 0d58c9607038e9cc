import { useState } from 'react';
import type { Worker } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { RadioRow } from '../../ui/inputs/radio-row.js';
import { TextField } from '../../ui/inputs/text-field.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import { useSlotsChange, useSlotsPreview } from './use-slots.js';

const words = texts.workers;

/** Changes how many jobs the workers of one of a worker's queues run at once, beside what that does. */
export function SlotsDialog({ worker, onClose }: { readonly worker: Worker; readonly onClose: () => void }) {
  const [queue, setQueue] = useState(worker.queues[0]!);
  const [text, setText] = useState(String(worker.slots ?? ''));
  const slots = /^[1-9]\d{0,3}$/.test(text.trim()) && Number(text) <= 1_000 ? Number(text) : undefined;
  const preview = useSlotsPreview(queue, slots);
  const { reason, setReason, doing } = useSlotsChange(queue, onClose);
  return (
    <ReasonDialog
      title={words.changeTitle(queue)}
      reason={reason}
      onReason={setReason}
      error={slots === undefined ? new Error(words.notSlots) : (preview.error ?? doing.error)}
      onClose={onClose}
      onSubmit={() => slots !== undefined && doing.mutate(slots)}
      actions={
        <Button type="submit" kind="primary" disabled={doing.isPending || slots === undefined}>
          {words.change}
        </Button>
      }
    >
      <p className="text-soft">{words.changeWords}</p>
      {worker.queues.length > 1 && (
        <RadioRow
          name="queue"
          legend={words.queue}
          options={worker.queues.map((id) => ({ id, text: id }))}
          chosen={queue}
          onChoose={setQueue}
        />
      )}
      <TextField
        label={words.slotsEach}
        value={text}
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        onText={setText}
      />
      <Preview preview={slots === undefined ? undefined : preview.data} />
    </ReasonDialog>
  );
}

function Preview({ preview }: { readonly preview: ReturnType<typeof useSlotsPreview>['data'] }) {
  return (
    <section aria-label={words.preview} aria-live="polite" className="mt-4 min-h-16">
      <h3 className="text-xs font-medium text-faint">{words.preview}</h3>
      {preview !== undefined && (
        <>
          <p className="mt-1 text-[0.9375rem]">
            {words.becomes(preview.workers.length, preview.before, preview.after)}
          </p>
          <ul className="list-inside list-disc text-soft">
            {preview.workers.slice(0, 8).map(({ name, before, after }) => (
              <li key={name}>{words.each(name, String(before ?? '?'), String(after ?? '?'))}</li>
            ))}
          </ul>
          {preview.after > preview.before && preview.after > preview.maxConnections * 0.8 && (
            <p className="text-failed">{words.fewConnections(preview.maxConnections)}</p>
          )}
        </>
      )}
    </section>
  );
}

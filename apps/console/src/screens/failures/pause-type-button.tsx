import { useState } from 'react';
import { useQueues } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { PauseDialog, type PauseTarget } from '../queues/pause-dialog.js';

const words = texts.queues;

/** Pauses a type in all queues, or resumes it; nothing until it is known whether it is paused. */
export function PauseTypeButton({ type }: { readonly type: string }) {
  const { data } = useQueues();
  const [target, ask] = useState<PauseTarget | null>(null);
  if (data === undefined) return null;
  const states = data.queues.filter((one) => one.type === type);
  const pause = states.flatMap(({ pauses }) => pauses).find(({ kind }) => kind === 'type') ?? null;
  const due = states.reduce((sum, state) => sum + state.due, 0);
  return (
    <>
      <Button onClick={() => ask({ kind: 'type', name: type, pause, due })}>
        {pause === null ? words.pause : words.resume} {type}
      </Button>
      {target !== null && <PauseDialog target={target} onClose={() => ask(null)} />}
    </>
  );
}

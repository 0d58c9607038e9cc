import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../api/call-api.js';
import { readRuleName, type FlowKey } from '../../api/flow-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { serverNow } from '../../time/server-clock.js';
import { Button } from '../../ui/inputs/button.js';
import { notDoneIn } from '../../ui/missing-shards.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import { useToasts } from '../../ui/toasts.js';
import { EndFields } from '../queues/end-fields.js';
import { ENDS, findEnd, type End } from '../queues/pause-ends.js';

const words = texts.flow;
const UNTIL_MOMENT = ENDS.filter((end) => end !== 'open');

/** What somebody wants to do, at which key. */
export interface AskedGate {
  readonly verb: 'shut' | 'letIn';
  readonly of: FlowKey;
}

interface GateDialogProps extends AskedGate {
  readonly onClose: () => void;
}

/** Asks until when nobody is let in at a key and why, or whether somebody is again. */
export function GateDialog({ verb, of, onClose }: GateDialogProps) {
  const { key, waiting, waitingIsAtLeast, breaker } = of;
  const [reason, setReason] = useState('');
  const [end, setEnd] = useState<End>('quarter');
  const [ownEnd, setOwnEnd] = useState('');
  const client = useQueryClient();
  const toasts = useToasts();
  const doing = useMutation({
    mutationFn: () => send(verb, of, reason.trim(), verb === 'shut' ? msUntil(end, ownEnd) : 0),
    onSuccess(answer) {
      toasts.add({ title: words.done[verb], ...notDoneIn(answer) });
      onClose();
      for (const name of ['flow', 'flow-keys']) void client.invalidateQueries({ queryKey: [name] });
    },
  });
  const isReady = verb === 'letIn' || end !== 'own' || ownEnd !== '';
  return (
    <ReasonDialog
      title={verb === 'shut' ? words.shutTitle(key) : words.letInTitle(key)}
      reason={reason}
      onReason={setReason}
      error={doing.error}
      onClose={onClose}
      onSubmit={() => (isReady ? doing.mutate() : undefined)}
      actions={
        <Button type="submit" kind="primary" disabled={doing.isPending || !isReady}>
          {words[verb]}
        </Button>
      }
    >
      {verb === 'shut' ? (
        <>
          <p className="text-soft">{words.shutWords}</p>
          <EndFields ends={UNTIL_MOMENT} end={end} ownEnd={ownEnd} onEnd={setEnd} onOwnEnd={setOwnEnd} />
        </>
      ) : (
        <p className="text-soft">
          {words.letInWords(formatCount(waiting, waitingIsAtLeast), waiting)}
          {breaker !== null && ` ${words.letInBreaker}`}
        </p>
      )}
    </ReasonDialog>
  );
}

const msUntil = (end: End, ownEnd: string): number => {
  const now = serverNow();
  return Math.round(Date.parse(findEnd(end, ownEnd, now)!) - now);
};

async function send(verb: AskedGate['verb'], { key, value }: FlowKey, reason: string, ms: number): Promise<unknown> {
  const params = readRuleName(key);
  const body = { ...(value === null ? {} : { value }), ...(reason === '' ? {} : { reason }) };
  return verb === 'shut'
    ? callApi('closeFlowKey', { params, body: { ...body, for: `${ms}ms` } })
    : callApi('openFlowKey', { params, body });
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useEffects } from '../../api/use-effects.js';
import { callForText } from '../../api/call-api.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import { Moment } from '../../ui/marks/moment.js';
import { useToasts } from '../../ui/toasts.js';
import { readJob, type JobDetail } from './use-job.js';

export type Verb = 'retry' | 'cancel' | 'acknowledge';

interface VerbDialogProps {
  readonly verb: Verb;
  readonly job: JobDetail;
  /** Of a retry: this step is taken again, and what was done after it. */
  readonly fromStep?: string;
  readonly onClose: () => void;
}

const words = texts.job;

/** Asks whether to do it, and why. Of an effect that nobody knows the end of, it asks what has happened. */
export function VerbDialog({ verb, job, fromStep, onClose }: VerbDialogProps) {
  const [reason, setReason] = useState('');
  const client = useQueryClient();
  const toasts = useToasts();
  const isEffect = verb === 'retry' && job.status === 'dead' && job.errorCode === 'effect_unknown';
  const { title, description, action } = describe(verb, job, fromStep);
  const doing = useMutation({
    mutationFn: (effectsHappened?: boolean) =>
      send(verb, job.id, { reason: reason.trim() || undefined, effectsHappened, fromStep }),
    onSuccess(text) {
      const read = readJob(text);
      client.setQueryData(['job', job.id], read);
      void client.invalidateQueries({ queryKey: ['explanation', job.id] });
      void client.invalidateQueries({ queryKey: ['effects', job.id] });
      void client.invalidateQueries({ queryKey: ['steps', job.id] });
      void client.invalidateQueries({ queryKey: ['jobs'] });
      const isRequested = verb === 'cancel' && read.job.finishedAt === null;
      toasts.add({ title: isRequested ? words.done.cancelRequested : words.done[verb] });
      onClose();
    },
  });
  return (
    <ReasonDialog
      title={isEffect ? words.effectTitle : title}
      reason={reason}
      onReason={setReason}
      error={doing.error}
      onClose={onClose}
      actions={
        isEffect ? (
          <>
            <Button disabled={doing.isPending} onClick={() => doing.mutate(true)}>
              {words.effectHappened}
            </Button>
            <Button kind="danger" disabled={doing.isPending} onClick={() => doing.mutate(false)}>
              {words.effectNot}
            </Button>
          </>
        ) : (
          <Button
            kind={verb === 'cancel' ? 'danger' : 'primary'}
            disabled={doing.isPending}
            onClick={() => doing.mutate(undefined)}
          >
            {action}
          </Button>
        )
      }
    >
      <p className="text-soft">{isEffect ? words.effectWords : description}</p>
      {isEffect && <UnknownEffects id={job.id} />}
    </ReasonDialog>
  );
}

/** Which effects are asked about, and when they were begun. */
function UnknownEffects({ id }: { readonly id: string }) {
  const effects = (useEffects(id).data ?? []).filter(({ status }) => status === 'unknown');
  return (
    effects.length > 0 && (
      <p className="mt-2">
        {words.effect.which}{' '}
        {effects.map(({ name, key, startedAt }, index) => (
          <span key={`${key} ${name}`}>
            {index > 0 && ', '}
            <code className="font-mono text-xs font-medium break-all">{name}</code>{' '}
            <span className="text-soft">
              (<Moment at={startedAt} />)
            </span>
          </span>
        ))}
        .
      </p>
    )
  );
}

interface Sent {
  readonly reason: string | undefined;
  readonly effectsHappened: boolean | undefined;
  readonly fromStep: string | undefined;
}

function send(verb: Verb, id: string, { reason, effectsHappened, fromStep }: Sent): Promise<string> {
  const params = { id };
  const why = reason === undefined ? {} : { reason };
  switch (verb) {
    case 'retry':
      return callForText('retryJob', {
        params,
        body: {
          ...why,
          ...(effectsHappened === undefined ? {} : { effectsHappened }),
          ...(fromStep === undefined ? {} : { fromStep }),
        },
      });
    case 'cancel':
      return callForText('cancelJob', { params, body: why });
    case 'acknowledge':
      return callForText('acknowledgeJob', { params, body: why });
  }
}

function describe(
  verb: Verb,
  { id, status }: JobDetail,
  fromStep: string | undefined,
): { title: string; description: string; action: string } {
  const isBack = status === 'dead' || status === 'cancelled';
  switch (verb) {
    case 'retry':
      return {
        title: words.retryTitle(id),
        description:
          fromStep !== undefined ? words.steps.retryWords(fromStep) : isBack ? words.retryDead : words.retryWaiting,
        action: isBack ? words.retry : words.runNow,
      };
    case 'cancel':
      return {
        title: words.cancelTitle(id),
        description: status === 'running' ? words.cancelRunning : words.cancelWaiting,
        action: words.cancel,
      };
    case 'acknowledge':
      return { title: words.acknowledgeTitle(id), description: words.acknowledgeWords, action: words.acknowledge };
  }
}

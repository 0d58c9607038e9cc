import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { callApi } from '../../api/call-api.js';
import type { Schedule } from '../../api/use-schedules.js';
import { texts } from '../../texts/texts.js';
import { formatMoment } from '../../time/format-moment.js';
import { serverNow } from '../../time/server-clock.js';
import { useZone } from '../../time/zone-store.js';
import { Button } from '../../ui/inputs/button.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import { useToasts } from '../../ui/toasts.js';

export type ScheduleVerb = 'run' | 'pause' | 'resume' | 'delete';

const words = texts.schedules;
const HOUR_MS = 3_600_000;
const UNTIL_MS: Readonly<Record<keyof typeof words.untilOptions, number | null>> = {
  none: null,
  h1: HOUR_MS,
  h4: 4 * HOUR_MS,
  d1: 24 * HOUR_MS,
  d7: 7 * 24 * HOUR_MS,
};
const SAID: Readonly<Record<ScheduleVerb, { title: (key: string) => string; words: string; action: string }>> = {
  run: { title: words.runTitle, words: words.runWords, action: words.runNow },
  pause: { title: words.pauseTitle, words: words.pauseWords, action: words.pause },
  resume: { title: words.resumeTitle, words: words.resumeWords, action: words.resume },
  delete: { title: words.deleteTitle, words: words.deleteWords, action: words.delete },
};

interface ScheduleVerbDialogProps {
  readonly verb: ScheduleVerb;
  readonly schedule: Schedule;
  /** With `run`: a due time that was skipped; left out: as of now. */
  readonly dueAt?: string;
  readonly onClose: () => void;
}

/** Asks whether to do it, why, and of a pause until when. */
export function ScheduleVerbDialog({ verb, schedule, dueAt, onClose }: ScheduleVerbDialogProps) {
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState<keyof typeof UNTIL_MS>('none');
  // a second click, or a network that breaks, makes no second job
  const [requestKey] = useState(makeRequestKey);
  const client = useQueryClient();
  const toasts = useToasts();
  const navigate = useNavigate();
  const zone = useZone();
  const doing = useMutation({
    mutationFn: () => send(verb, schedule.key, reason.trim(), { untilMs: UNTIL_MS[until], dueAt, requestKey }),
    async onSuccess(job) {
      const title = job?.deduplicated === true ? words.hasJob : words.done[verb];
      toasts.add({ title, ...(job === null ? {} : { description: words.openJob(job.id) }) });
      onClose();
      if (verb === 'delete') await navigate({ to: '/schedules', search: { paused: undefined, cursor: undefined } });
      for (const name of ['schedule', 'schedules', 'dueTimes']) void client.invalidateQueries({ queryKey: [name] });
    },
  });
  const said =
    dueAt === undefined
      ? SAID[verb]
      : {
          title: (key: string) => words.runDueTimeTitle(key, formatMoment(new Date(dueAt), zone)),
          words: words.runDueTimeWords,
          action: words.runDueTime,
        };
  return (
    <ReasonDialog
      title={said.title(schedule.key)}
      reason={reason}
      onReason={setReason}
      error={doing.error}
      onClose={onClose}
      actions={
        <Button
          kind={verb === 'delete' ? 'danger' : 'primary'}
          disabled={doing.isPending}
          onClick={() => doing.mutate()}
        >
          {said.action}
        </Button>
      }
    >
      <p className="text-soft">
        {said.words}
        {(verb === 'pause' || verb === 'resume') && <span className="mt-1 block text-ink">{schedule.policy}</span>}
        {verb === 'delete' && schedule.source === 'code' && (
          <span className="mt-1 block text-ink">{words.deleteDeclared}</span>
        )}
      </p>
      {verb === 'pause' && (
        <label className="mt-4 flex flex-col gap-1">
          <span className="text-soft">{words.until}</span>
          <select
            value={until}
            onChange={({ target }) => setUntil(target.value as keyof typeof UNTIL_MS)}
            className="h-9 rounded-md border border-line-strong bg-surface px-2"
          >
            {Object.entries(words.untilOptions).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
      )}
    </ReasonDialog>
  );
}

interface Sent {
  readonly untilMs: number | null;
  readonly dueAt: string | undefined;
  readonly requestKey: string;
}

/** Does it. Returns the job that came of it; null: none. */
async function send(verb: ScheduleVerb, key: string, reason: string, { untilMs, dueAt, requestKey }: Sent) {
  const params = { key };
  const why = reason === '' ? {} : { reason };
  if (verb === 'run') {
    const body = { ...why, ...(dueAt === undefined ? {} : { dueTime: dueAt }) };
    return callApi('triggerSchedule', { params, body, requestKey });
  }
  if (verb === 'delete') await callApi('deleteSchedule', { params: { ...params, ...why } });
  else if (verb === 'resume') await callApi('resumeSchedule', { params, body: why });
  else {
    const until = untilMs === null ? {} : { until: new Date(serverNow() + untilMs).toISOString() };
    await callApi('pauseSchedule', { params, body: { ...why, ...until } });
  }
  return null;
}

/** `crypto.randomUUID` is not there on pages without TLS. */
function makeRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

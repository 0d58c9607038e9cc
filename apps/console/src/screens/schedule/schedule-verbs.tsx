import { useState } from 'react';
import type { Schedule } from '../../api/use-schedules.js';
import { useMay } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { EditDialog } from './edit-dialog.js';
import { ScheduleVerbDialog, type ScheduleVerb } from './schedule-verb-dialog.js';

const words = texts.schedules;

interface ScheduleVerbsProps {
  readonly schedule: Schedule;
  /** As the API wrote it; undefined: it is withheld. */
  readonly payload: string | undefined;
}

/** What may be done to a schedule. Each asks first. */
export function ScheduleVerbs({ schedule, payload }: ScheduleVerbsProps) {
  const [asked, ask] = useState<ScheduleVerb | 'edit' | null>(null);
  if (!useMay('schedules')) return null;
  const close = (): void => ask(null);
  return (
    <div className="flex flex-wrap gap-1.5">
      <Button onClick={() => ask('run')}>{words.runNow}</Button>
      {schedule.isPaused ? (
        <Button kind="primary" onClick={() => ask('resume')}>
          {words.resume}
        </Button>
      ) : (
        <Button onClick={() => ask('pause')}>{words.pause}</Button>
      )}
      <Button onClick={() => ask('edit')}>{words.edit}</Button>
      <Button kind="danger" onClick={() => ask('delete')}>
        {words.delete}
      </Button>
      {asked === 'edit' ? (
        <EditDialog schedule={schedule} payload={payload} onClose={close} />
      ) : (
        asked !== null && <ScheduleVerbDialog verb={asked} schedule={schedule} onClose={close} />
      )}
    </div>
  );
}

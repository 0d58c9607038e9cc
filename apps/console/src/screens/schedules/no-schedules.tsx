import { texts } from '../../texts/texts.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { StateBox } from '../../ui/problem-state.js';

const EXAMPLE = `import { saveSchedule, slot } from 'duework';
import { sendReport } from './jobs.js';
await saveSchedule(db, sendReport, {
  key: 'report', cron: '0 9 * * 1', timeZone: 'Europe/Berlin',
  payload: { day: slot.date() },
});`;

/** An empty list says what would fill it. */
export function NoSchedules({ isPaused }: { readonly isPaused: boolean | undefined }) {
  const words = texts.schedules;
  if (isPaused !== undefined) return <StateBox title={isPaused ? words.nonePausedTitle : words.noneOnTitle} />;
  return (
    <StateBox title={words.noneTitle}>
      <p>{words.noneHint}</p>
      <CopyableLines text={EXAMPLE} />
    </StateBox>
  );
}

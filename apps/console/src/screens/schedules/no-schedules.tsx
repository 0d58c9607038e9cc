import { texts } from '../../texts/texts.js';
import { CopyButton } from '../../ui/copy-button.js';
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
      <div className="relative mt-3">
        <pre
          tabIndex={0}
          aria-label={words.noneHint}
          className="overflow-x-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs text-ink"
        >
          {EXAMPLE}
        </pre>
        <div className="absolute top-1 right-1">
          <CopyButton text={EXAMPLE} label={texts.copy.copy} />
        </div>
      </div>
    </StateBox>
  );
}

import { snippets } from '../../texts/snippets.js';
import { texts } from '../../texts/texts.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { StateBox } from '../../ui/problem-state.js';

/** An empty list says what would fill it. */
export function NoSchedules({ isPaused }: { readonly isPaused: boolean | undefined }) {
  const words = texts.schedules;
  if (isPaused !== undefined) return <StateBox title={isPaused ? words.nonePausedTitle : words.noneOnTitle} />;
  return (
    <StateBox title={words.noneTitle}>
      <p>{words.noneHint}</p>
      <CopyableLines text={snippets.saveSchedule} />
    </StateBox>
  );
}

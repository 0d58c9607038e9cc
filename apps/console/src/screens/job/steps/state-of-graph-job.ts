import type { GraphJob } from '../../../api/use-steps.js';
import { texts } from '../../../texts/texts.js';
import { formatCount } from '../../../time/format-count.js';
import type { Status } from '../../../ui/marks/status-badge.js';

const words = texts.job.steps.graph;

/** How a job of a workflow looks, and what is said of it; `isOver`: the workflow is. */
export function stateOfGraphJob(
  { isEach, total, succeeded, failed, isUndone }: GraphJob,
  isOver: boolean,
): { readonly look: Status; readonly words: string } {
  const count = (text: string): string =>
    isEach && total > 0 ? words.count(formatCount(succeeded), formatCount(total), text) : text;
  if (isUndone) return { look: 'cancelled', words: words.undone };
  if (failed > 0) return { look: 'dead', words: count(words.failed) };
  if (total === 0) return isOver ? { look: 'cancelled', words: words.never } : { look: 'queued', words: words.later };
  if (succeeded === total) return { look: 'succeeded', words: count(words.done) };
  return { look: 'running', words: count(words.begun) };
}

import type { BulkRequest } from '@duework/operate';
import { formatCount } from '../output/format-count.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { showBulkAction } from './show-bulk-action.js';
import { showPreview } from './show-preview.js';
import { watchBulkAction } from './watch-bulk-action.js';

export interface RunOptions {
  readonly reason: string | undefined;
  readonly isDryRun: boolean;
  /** Whether somebody has said yes already. */
  readonly isSure: boolean;
  /** Whether it stays until the action has ended. */
  readonly isWatched: boolean;
  readonly isJson: boolean;
}

/** Previews an action, asks, begins it, and watches it. Throws `PlainError` where nobody said yes, or can be asked. */
export async function runBulkAction(parts: CommandParts, request: BulkRequest, options: RunOptions): Promise<void> {
  const { operations, write, progress, look, confirm } = parts;
  const { bulk } = await operations();
  const preview = await bulk.preview(request);
  if (options.isDryRun) return write(options.isJson ? toJson(preview) : showPreview(preview, look));
  progress(showPreview(preview, look));
  if (preview.count.count === 0)
    throw new PlainError('nothing_fits', 'No job matches the filter, so nothing was started.');
  if (!options.isSure) {
    if (confirm === undefined)
      throw new PlainError('confirmation_needed', 'Nothing was started: without a terminal, confirm with --yes.');
    const question = `${request.verb.replace('_', ' ')}: ${formatCount(preview.count)} jobs?`;
    if (!(await confirm(question))) throw new PlainError('not_confirmed', 'Nothing was begun.');
  }
  const { id } = await bulk.start(request, options.reason);
  await followBulkAction(parts, id, options);
}

/** Watches an action that has begun, and tells what it came to. Exit code 130: a signal came first, and it goes on. */
export async function followBulkAction(
  parts: CommandParts,
  id: string,
  { isWatched, isJson }: Pick<RunOptions, 'isWatched' | 'isJson'>,
): Promise<void> {
  const { operations, write, progress, look, exitWith } = parts;
  const { bulk } = await operations();
  const action = isWatched ? await watchBulkAction(bulk, id, parts) : await bulk.get(id);
  if (isWatched && action.status === 'running') {
    progress(
      `It continues in the background. Follow it: npx duework bulk show ${id} --watch. Stop it: npx duework bulk abort ${id}\n`,
    );
    exitWith(130);
  }
  if (action.status === 'aborted') exitWith(1);
  write(isJson ? toJson(action) : showBulkAction(action, look));
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

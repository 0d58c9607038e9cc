import { parseDatabaseUrl } from '@duework/database';
import { openProgressLine } from '../output/open-progress-line.js';
import type { CommandParts } from '../program-parts.js';
import { revertDatabase } from './migration-verbs.js';

/** Takes the schema back to that of an older release, or says what that would do. */
export async function revert(
  parts: CommandParts,
  url: string,
  { to, dryRun }: { readonly to: string; readonly dryRun: boolean },
): Promise<void> {
  const { write } = parts;
  const { label } = parseDatabaseUrl(url);
  const line = openProgressLine(parts, false);
  const { reverted, losses } = await revertDatabase({ url, to, dryRun, onProgress: line.step }).finally(line.end);
  if (reverted.length === 0) return write(`${label} has nothing newer than ${to}.\n`);
  write(reverted.map((name) => `${dryRun ? 'would go' : 'gone'}: ${name}\n`).join(''));
  for (const { what, rows, some } of losses)
    write(
      `would be lost, so it would be refused: ${what}: ${rows} (${some.join(', ')}${rows > some.length ? ', …' : ''})\n`,
    );
  write(
    dryRun
      ? `${label} was not changed.\n`
      : `${label} is that of ${to}. npx duework migrate brings it up to date again.\n`,
  );
}

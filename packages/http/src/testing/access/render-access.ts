import type { AccessRow } from './try-access.js';

const HEAD = ['route', 'scope', 'alone', 'with `payloads`', 'with `sensitive`', 'for its type', 'for another type'];

/** The table as Markdown, for docs/look-up/access.md. */
export function renderAccess(rows: readonly AccessRow[]): string {
  const lines = rows.map(({ route, note, scope, alone, withPayloads, withSensitive, ofItsType, ofAnother }) => [
    `\`${route}\`${note && ` ${note}`}`,
    `\`${scope}\``,
    ...[alone, withPayloads, withSensitive, ofItsType, ofAnother],
  ]);
  const all = [HEAD, HEAD.map(() => '-'), ...lines];
  return all.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

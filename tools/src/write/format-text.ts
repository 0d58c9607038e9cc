import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import { root } from '../../bootstrap/paths.mjs';

const config = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig;

/** A text as `npm run format` would leave it in that file; throws when it is not of the file's language. */
export async function formatText(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, config);
  if (errors.length > 0) throw new Error(`${file} cannot be formatted: ${errors[0]!.message}`);
  return code;
}

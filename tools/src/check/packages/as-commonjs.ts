import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';

/** Writes `<name>.cjs` beside `<name>.mjs`: the same program, which requires what that one imports. */
export async function writeAsCommonJs(dir: string, name: string): Promise<void> {
  const { code } = await transform(readFileSync(join(dir, `${name}.mjs`), 'utf8'), { format: 'cjs', platform: 'node' });
  writeFileSync(join(dir, `${name}.cjs`), code);
}

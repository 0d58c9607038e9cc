import { docsOf } from '@duework/sql/errors';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file of this package that is started as a thread or a process is missing beside its code. */
export class BundledAwayError extends Error {
  override readonly name = 'BundledAwayError';
  readonly code = 'bundled_away';
  readonly docs = docsOf('bundled_away');

  constructor(readonly file: string) {
    super(
      `This worker was bundled whole: ${file} is not beside the code that starts it. Leave duework out of the bundle ` +
        '(esbuild: --external:duework --external:duework/*), and install it where the worker runs.',
    );
  }
}

/**
 * The URL of a file of this package that is started as a thread or a process.
 *
 * @param path from the code that starts it
 * @param base its `import.meta.url`, which some bundlers leave undefined
 * @throws BundledAwayError when there is no such file
 */
export function findOwnFile(path: string, base: string | undefined): URL {
  const url = base === undefined ? null : new URL(path, base);
  if (url === null || !existsSync(fileURLToPath(url))) throw new BundledAwayError(path.replace(/^.*\//, ''));
  return url;
}

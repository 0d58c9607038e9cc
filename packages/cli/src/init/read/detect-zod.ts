import { sayInstallIn } from '../../project/install-command.js';
import type { ProjectFiles, ZodFacts } from '../project.js';
import { PlainError } from '../../plain-error.js';

const NEWEST: ZodFacts = { module: 'zod', needsJsonSchema: false };

/**
 * How a contract is written with the zod that is installed, or else the lowest one that the project's range allows.
 *
 * @param range - in package.json; undefined: it will be installed
 * @throws PlainError `zod_too_old`
 */
export function detectZod(files: ProjectFiles, range: string | undefined): ZodFacts {
  if (range === undefined) return NEWEST;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(installedVersion(files.read) ?? range) ?? [];
  if (major === undefined || Number(major) > 4) return NEWEST;
  if (major === '4') return { module: 'zod', needsJsonSchema: Number(minor) < 2 };
  // from 3.25 on it has zod 4 inside
  if (major === '3' && Number(minor) >= 25) return { module: 'zod/v4', needsJsonSchema: true };
  throw new PlainError(
    'zod_too_old',
    `zod ${major}.${minor} is too old for contracts. Install 3.25 or later, or 4: ${sayInstallIn(files, ['zod@^4'], { isDev: false })}`,
  );
}

function installedVersion(read: ProjectFiles['read']): string | undefined {
  try {
    return (JSON.parse(read('node_modules/zod/package.json') ?? '{}') as { version?: string }).version;
  } catch {
    return undefined;
  }
}

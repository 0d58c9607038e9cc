import { posix } from 'node:path';
import type { Project } from '../project.js';

/** The module of the generated client, as a file in `folder` imports it; the folder is below that of the sources. */
export function prismaModule(
  { prisma, sourceDir, importSuffix }: Pick<Project, 'prisma' | 'sourceDir' | 'importSuffix'>,
  folder: string,
): string {
  const module = prisma?.module ?? { name: '@prisma/client' };
  if ('name' in module) return module.name;
  const path = posix.relative(`${sourceDir}${folder}`, module.path);
  return `${path.startsWith('.') ? path : `./${path}`}${importSuffix}`;
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ProjectFiles } from './project.js';

/** The files of a folder on the disk. What cannot be read counts as not there. */
export function openProjectFiles(dir: string): ProjectFiles {
  return {
    name: basename(dir),
    read: (path) => {
      try {
        return readFileSync(join(dir, path), 'utf8');
      } catch (error) {
        if (['ENOENT', 'EISDIR', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? ''))
          return undefined;
        throw error;
      }
    },
    hasFolder: (path) => isFolder(join(dir, path)),
    foldersIn: (path) =>
      isFolder(join(dir, path)) ? readdirSync(join(dir, path)).filter((name) => isFolder(join(dir, path, name))) : [],
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

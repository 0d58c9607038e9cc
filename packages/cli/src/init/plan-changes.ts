import { planFiles } from './plan-files.js';
import { planPackageJson } from './plan-package-json.js';
import type { Project, ProjectFiles } from './project.js';

/** One file of the plan beside what is on the disk. */
export interface Change {
  readonly path: string;
  /**
   * `create`: it is not there; `edit`: package.json or .gitignore gets lines; `same`: it is as planned; `keep`: it says
   * something else, and is left as it is.
   */
  readonly kind: 'create' | 'edit' | 'same' | 'keep';
  /** undefined: it is not there. */
  readonly before: string | undefined;
  /** What is there afterwards. */
  readonly after: string;
}

export interface PlannedChanges {
  readonly changes: readonly Change[];
  /** Keys of package.json that say something else, and are left as they are. */
  readonly keptKeys: readonly string[];
}

/** What init will do to the project's files. */
export function planChanges(project: Project, files: Pick<ProjectFiles, 'read'>): PlannedChanges {
  const { content, kept } = planPackageJson(project);
  const written = planFiles(project).map(({ path, content: planned }): Change => {
    const before = files.read(path);
    if (before === planned) return { path, kind: 'same', before, after: planned };
    if (before !== undefined) return { path, kind: 'keep', before, after: before };
    return { path, kind: 'create', before, after: planned };
  });
  return {
    changes: [
      edited('package.json', project.packageJson, content),
      edited('.gitignore', project.gitignore, planGitignore(project)),
      ...written,
    ].filter((change) => change !== undefined),
    keptKeys: kept,
  };
}

function edited(path: string, before: string | undefined, after: string | undefined): Change | undefined {
  if (after === undefined) return undefined;
  return { path, kind: before === undefined ? 'create' : before === after ? 'same' : 'edit', before, after };
}

/**
 * Where the embedded PostgreSQL of `duework dev` keeps its files, and what the build makes; undefined: the project has no
 * .gitignore.
 */
function planGitignore({ gitignore, packageJson, build }: Project): string | undefined {
  if (gitignore === undefined) return packageJson === undefined ? 'node_modules/\n.duework/\n.env\ndist/\n' : undefined;
  const lines = gitignore.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, ''));
  const missing = ['.duework', ...(build === undefined ? [] : [build.outDir])].filter((path) => !lines.includes(path));
  const end = gitignore === '' || gitignore.endsWith('\n') ? '' : '\n';
  return missing.length === 0 ? gitignore : `${gitignore}${end}${missing.map((path) => `${path}/\n`).join('')}`;
}

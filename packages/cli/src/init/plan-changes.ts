import { planFiles } from './plan-files.js';
import { planPackageJson } from './plan-package-json.js';
import { sharedContractFile } from './templates/contracts.js';
import type { Project, ProjectFiles } from './project.js';

/** One file of the plan beside what is on the disk. */
export interface Change {
  readonly path: string;
  /**
   * `create`: it is not there; `edit`: package.json, .gitignore or what exports the contracts gets lines; `same`: it is as planned; `keep`: it says
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
  return {
    changes: [
      edited('package.json', project.packageJson, content),
      edited('.gitignore', project.gitignore, planGitignore(project)),
      ...planContracts(project, files),
      ...planFiles(project).map(({ path, content: planned }) => written(path, planned, files.read(path))),
    ].filter((change) => change !== undefined),
    keptKeys: kept,
  };
}

/** The new contract in the package that keeps them, and the line that exports it. */
function planContracts({ contracts, importSuffix }: Project, files: Pick<ProjectFiles, 'read'>): Change[] {
  if (contracts === undefined) return [];
  const { file, index } = contracts;
  const content = sharedContractFile(contracts);
  const exported = files.read(index);
  const suffix = importSuffixOf(exported ?? '', importSuffix);
  const line = `export * from './say-hello${suffix}';\n`;
  const isThere = /['"]\.\/say-hello(\.\w+)?['"]/.test(exported ?? '');
  const end = exported === undefined || exported === '' || exported.endsWith('\n') ? '' : '\n';
  return [
    written(file, content, files.read(file)),
    edited(index, exported, isThere ? exported : `${exported ?? ''}${end}${line}`)!,
  ];
}

/** How the imports of a file end already; else as the project's. */
const importSuffixOf = (text: string, otherwise: string): string => {
  const [, name] = /from\s+['"]\.\/([\w./-]+)['"]/.exec(text) ?? [];
  return name === undefined ? otherwise : (/\.[cm]?[jt]s$/.exec(name)?.[0] ?? '');
};

function written(path: string, planned: string, before: string | undefined): Change {
  if (before === planned) return { path, kind: 'same', before, after: planned };
  if (before !== undefined) return { path, kind: 'keep', before, after: before };
  return { path, kind: 'create', before, after: planned };
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

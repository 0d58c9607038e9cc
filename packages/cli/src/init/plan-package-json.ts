import type { Project } from './project.js';
import { BUILD_CONFIG, jobsModuleOf, testDirOf } from './plan-files.js';

export interface PlannedPackageJson {
  readonly content: string;
  /** What stands there already and says something else, as `scripts.worker`: it was left as it is. */
  readonly kept: readonly string[];
}

type Json = Record<string, unknown>;

/**
 * The package.json of a project with the scripts `worker` and `jobs:…`, for development and for production, with `test`
 * if Node runs the tests and nothing else does yet, and the key `duework.jobs`, and all else as it was.
 */
export function planPackageJson(project: Project): PlannedPackageJson {
  const { packageJson, name } = project;
  const isNew = packageJson === undefined;
  const json = (
    isNew ? { name: toPackageName(name), version: '0.0.0', private: true, type: 'module' } : JSON.parse(packageJson)
  ) as Json;
  const kept: string[] = [];
  const put = (group: string, key: string, value: string): void => {
    const given = json[group] ?? {};
    const found = typeof given === 'object' ? (given as Json)[key] : given;
    if (found !== undefined && found !== value) kept.push(`${group}.${key}`);
    if (found === undefined) json[group] = { ...(given as Json), [key]: value };
  };
  const scripts = (json['scripts'] ?? {}) as Partial<Record<string, string>>;
  if (project.testRunner === 'node' && (scripts['test'] ?? NPM_INIT_TEST).includes(NPM_INIT_TEST))
    json['scripts'] = { ...scripts, test: testScript(project) };
  put('scripts', 'worker', workerScript(project));
  put('scripts', 'jobs:migrate', 'duework migrate');
  put('scripts', 'jobs:dev', 'duework dev');
  const build = buildScript(project);
  if (build !== undefined) put('scripts', 'jobs:build', build);
  put('scripts', 'jobs:start', `node ${project.build?.worker ?? `${project.sourceDir}worker.${project.extension}`}`);
  put('duework', 'jobs', jobsModuleOf(project));
  const { contracts, installed, packageManager } = project;
  if (contracts !== undefined && !installed.has(contracts.name))
    put('dependencies', contracts.name, packageManager === 'npm' ? '*' : 'workspace:*');
  const indent = /^[ \t]+/m.exec(packageJson ?? '')?.[0] ?? '  ';
  const written = `${JSON.stringify(json, null, indent)}\n`;
  const isUnchanged = !isNew && JSON.stringify(JSON.parse(packageJson)) === JSON.stringify(json);
  return { content: isUnchanged ? packageJson : written, kept };
}

/** Of the script that `npm init` writes, which fails. */
const NPM_INIT_TEST = 'no test specified';

/** With a pattern for the shell: Node 20 knows none, and finds no TypeScript by itself. */
function testScript(project: Project): string {
  return `node ${loaderOf(project)}--test ${testDirOf(project)}/*.test.${project.extension}`;
}

const loaderOf = ({ extension }: Project): string => (extension === 'ts' ? '--import tsx ' : '');

function workerScript(project: Project): string {
  const { sourceDir, extension } = project;
  return `node --env-file-if-exists=.env ${loaderOf(project)}${sourceDir}worker.${extension}`;
}

/** Makes the program that `jobs:start` runs; undefined: JavaScript runs as it is. */
function buildScript({ build, sourceDir }: Project): string | undefined {
  if (build === undefined) return undefined;
  if (build.tool === 'tsc') return `tsc -p ${BUILD_CONFIG}`;
  // the packages stay outside: a worker starts files of duework as threads and processes
  const entries = `${sourceDir}worker.ts ${sourceDir}jobs/index.ts`;
  const { format, rootDir, outDir } = build;
  return `esbuild ${entries} --bundle --packages=external --platform=node --format=${format} --outbase=${rootDir} --outdir=${outDir}`;
}

/** A folder may be called what no package may. */
const toPackageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '') || 'app';

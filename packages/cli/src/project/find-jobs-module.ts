import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PlainError } from '../plain-error.js';
import { listBuilt } from './list-built.js';

/**
 * The path of the module with the project's jobs: what `--jobs` names, from the working directory, or `duework.jobs` of
 * the nearest package.json that has the key, from the folder of that file. Where that is TypeScript, its compiled file is
 * found as well: an image may have nothing else.
 *
 * @param isProduction - the compiled file comes first, because what loads TypeScript is there for development
 * @throws PlainError `no_jobs_module`, `package_json_invalid`
 */
export function findJobsModule(given: string | undefined, cwd: string, isProduction: boolean): string {
  if (given !== undefined) {
    const file = resolve(cwd, given);
    return existsSync(file) ? file : refuse(file, `--jobs ${given}`);
  }
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    const named = readKey(join(dir, 'package.json'));
    if (named !== undefined) return chooseFile(dir, named, isProduction);
    if (dir === dirname(dir)) break;
  }
  throw new PlainError(
    'no_jobs_module',
    'No module of jobs is named. Give --jobs ./jobs/index.ts, or add "duework": { "jobs": "./jobs/index.ts" } to package.json; npx duework init writes both.',
  );
}

function readKey(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new PlainError('package_json_invalid', `${file} is not JSON: ${(error as Error).message}.`, { cause: error });
  }
  const jobs = (content as { duework?: { jobs?: unknown } } | null)?.duework?.jobs;
  if (jobs === undefined) return undefined;
  if (typeof jobs === 'string' && jobs !== '') return jobs;
  throw new PlainError(
    'package_json_invalid',
    `"duework.jobs" of ${file} is a path such as "./jobs/index.ts", not ${JSON.stringify(jobs)}.`,
  );
}

/** @throws PlainError `no_jobs_module`, with each place that was looked at */
function chooseFile(dir: string, named: string, isProduction: boolean): string {
  const source = resolve(dir, named);
  const built = listBuilt(named).map((path) => join(dir, path));
  const found = (isProduction ? [...built, source] : [source, ...built]).find((file) => existsSync(file));
  if (found !== undefined) return found;
  const nor = built.length === 0 ? '' : ` Nor does what a build makes of it: ${built.join(', ')}. Name it with --jobs.`;
  return refuse(source, `"duework.jobs" of ${join(dir, 'package.json')}`, nor);
}

function refuse(file: string, by: string, more = ''): never {
  throw new PlainError('no_jobs_module', `${file} does not exist; it is named by ${by}.${more}`);
}

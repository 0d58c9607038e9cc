import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PlainError } from '../plain-error.js';

/**
 * The path of the module with the project's jobs: what `--jobs` names, from the working directory, or `duework.jobs` of
 * the nearest package.json that has the key, from the folder of that file.
 *
 * @throws PlainError `no_jobs_module`, `package_json_invalid`
 */
export function findJobsModule(given: string | undefined, cwd: string): string {
  if (given !== undefined) return checked(resolve(cwd, given), `--jobs ${given}`);
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    const named = readKey(join(dir, 'package.json'));
    if (named !== undefined) return checked(resolve(dir, named), `"duework.jobs" of ${join(dir, 'package.json')}`);
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

function checked(file: string, by: string): string {
  if (existsSync(file)) return file;
  throw new PlainError('no_jobs_module', `${file} does not exist; it is named by ${by}.`);
}

import type { Catalog } from '@duework/contracts';
import { PlainError } from '../plain-error.js';
import { importFile } from './import-file.js';
import type { JobsModule } from './jobs-module.js';

/**
 * Loads a project's jobs.
 *
 * @param file - the absolute path of the module
 * @throws PlainError as `importFile`, and `jobs_module_incomplete` when it exports no catalog
 */
export async function loadJobs(file: string): Promise<JobsModule> {
  const { catalog, handlers, backoffs, middleware, schedules, schedulesVersion } = await importFile(file);
  if (!isCatalog(catalog))
    throw new PlainError(
      'jobs_module_incomplete',
      `${file} exports no catalog. Add: export const catalog = defineCatalog([yourJob]);`,
    );
  return { file, catalog, handlers, backoffs, middleware, schedules, schedulesVersion };
}

const isCatalog = (value: unknown): value is Catalog =>
  Array.isArray(value) &&
  value.every(
    (contract: unknown) =>
      typeof contract === 'object' &&
      contract !== null &&
      typeof (contract as { type?: unknown }).type === 'string' &&
      typeof (contract as { version?: unknown }).version === 'number',
  );

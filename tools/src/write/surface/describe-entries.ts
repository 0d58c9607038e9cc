import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readBundle } from '../../../bundle/bundle-types.mjs';
import { outsideOf } from '../../../bundle/outside.mjs';
import type { BundleSettings } from '../../../bundle/settings.d.mts';
import { root } from '../../../bootstrap/paths.mjs';
import { sortDeclarations } from './sort-declarations.js';

export interface Report {
  /** Below the root. */
  readonly path: string;
  readonly text: string;
}

/** The reports of a published package: for each entry all that its types are made of, without comments, by name. */
export async function describeEntries(folder: string): Promise<Report[]> {
  const dir = join(root, 'packages', folder);
  const { default: settings } = (await import(pathToFileURL(join(dir, 'bundle.config.mjs')).href)) as {
    default: BundleSettings;
  };
  const outside = outsideOf(JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as object);
  const reports: Report[] = [];
  for (const [name, file] of Object.entries(settings.entries)) {
    const [bundle] = await readBundle(join(dir, settings.from), { [name]: file }, outside);
    const text = sortDeclarations(bundle!.text);
    const title = name === 'index' ? folder : `${folder}/${name}`;
    reports.push({
      path: `packages/${folder}/etc/${name}.api.md`,
      text: `# ${title}\n\nWritten by \`npm run write -- surface\`.\n\n\`\`\`ts\n${text}\n\`\`\`\n`,
    });
  }
  return reports;
}

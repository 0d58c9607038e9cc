import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes the licences of what was bundled and is not ours: their texts ask for that. No file is written when there is none.
 *
 * @param {string} path of the file
 * @param {readonly string[]} modules the paths of all bundled modules
 */
export function writeThirdParty(path, modules) {
  const folders = modules.filter((id) => id.includes('node_modules')).map((id) => findPackage(dirname(id)));
  const parts = [...new Set(folders)].map(describe).toSorted();
  if (parts.length > 0) writeFileSync(path, `# What is part of this package and not ours\n\n${parts.join('\n')}`);
}

/**
 * The folder of the package that a module belongs to.
 *
 * @param {string} dir
 * @returns {string}
 */
function findPackage(dir) {
  const file = join(dir, 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name ? dir : findPackage(dirname(dir));
}

/** @param {string} dir */
function describe(dir) {
  const { name, version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const file = readdirSync(dir).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled, and has no file with its licence.`);
  return `## ${name} ${version} (${license})\n\n\`\`\`text\n${readFileSync(join(dir, file), 'utf8').trim()}\n\`\`\`\n`;
}

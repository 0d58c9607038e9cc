/**
 * Which modules go into one file. Left alone, the bundler makes a file of whatever the same entries share, which for many
 * entries is many small files; each costs whoever loads it half a millisecond. Here what the first of some entries needs, that
 * start often, is told apart only by what the others of them need, and by whether it loads `pg`, which not everybody has.
 *
 * @param {readonly import('rolldown').OutputChunk[]} chunks as the bundler makes them alone
 * @param {import('./settings.d.mts').Together} entries by their names
 * @returns {(id: string) => string | null} the name of a module's group; null: the bundler decides
 */
export function groupModules(chunks, { often, apart }) {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  /** @param {string} file @param {Set<string>} [seen] */
  const closureOf = (file, seen = new Set()) => {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const name of byFile.get(file)?.imports ?? []) closureOf(name, seen);
    return seen;
  };
  /** @param {readonly string[]} names */
  const neededBy = (...names) => {
    const files = new Set();
    for (const name of names) {
      // what is started as a thread or a process is there as ESM alone
      const entry = chunks.find((chunk) => chunk.name === name);
      if (entry !== undefined) closureOf(entry.fileName, files);
    }
    return files;
  };
  const needed = [...often.map((name) => neededBy(name)), ...apart.map((names) => neededBy(...names))];
  const imported = new Set(chunks.flatMap(({ imports }) => imports));
  /** @type {Map<string, string>} */
  const groupOf = new Map();
  for (const { fileName, moduleIds, facadeModuleId, isEntry } of chunks) {
    if (isEntry && !imported.has(fileName)) continue;
    const needs = needed.map((files) => Number(files.has(fileName)));
    const isOften = needs.slice(0, often.length).includes(1);
    const group = isOften ? `${needs.join('')} ${closureOf(fileName).has('pg')}` : fileName;
    for (const id of moduleIds) if (!isEntry || id !== facadeModuleId) groupOf.set(id, group);
  }
  return (id) => groupOf.get(id) ?? null;
}

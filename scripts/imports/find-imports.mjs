const patterns = [
  /\b(?:import|export)\s+(?<type>type\s+)?(?:[\w$*{}\s,]+?\s+from\s*)['"](?<name>[^'"]+)['"]/g,
  /\bimport\s*['"](?<name>[^'"]+)['"]/g,
  /\b(?:import|require|require\.resolve)\s*\(\s*['"](?<name>[^'"]+)['"]/g,
];

/**
 * The modules a source names, with the position of each.
 *
 * @param {string} code - without comments
 * @returns {{ name: string, isType: boolean, index: number }[]}
 */
export function findImports(code) {
  return patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => ({
      name: match.groups.name,
      isType: match.groups.type !== undefined,
      index: match.index,
    })),
  );
}

const patterns = [
  /\b(?:import|export)\s+(?<type>type\s+)?(?:[\w$*{}\s,]+?\s+from\s*)['"](?<name>[^'"]+)['"]/g,
  /\bimport\s*['"](?<name>[^'"]+)['"]/g,
  /\b(?:import|require|require\.resolve)\s*\(\s*['"](?<name>[^'"]+)['"]/g,
];

export interface NamedImport {
  readonly name: string;
  readonly isType: boolean;
  /** Where it is in the code. */
  readonly index: number;
}

/**
 * The modules a source names, with the position of each.
 *
 * @param code without comments
 */
export function findImports(code: string): NamedImport[] {
  return patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => ({
      name: match.groups?.['name'] ?? '',
      isType: match.groups?.['type'] !== undefined,
      index: match.index,
    })),
  );
}

import { ContractError } from '../contract-error.js';
import type { JsonSchema } from '../describe-schema.js';
import { findAtPath } from './find-at-path.js';
import { readPath } from './sensitive-path.js';

export interface GivenPaths {
  /** `Job pay`, `Signal paid`. */
  readonly owner: string;
  /** `payload`, `result`, `payload of version 1`. */
  readonly part: string;
  readonly paths: readonly string[] | undefined;
  readonly schema: JsonSchema;
}

/**
 * The sensitive paths of a contract, without those that lie below another. Throws `ContractError`
 * (`sensitive_unknown`) for one that its JSON Schema does not have: a name that was misspelt would protect nothing.
 */
export function checkSensitive({ owner, part, paths = [], schema }: GivenPaths): readonly string[] {
  const refuse = (path: unknown, why: string): ContractError =>
    new ContractError(
      'sensitive_unknown',
      `${owner}: sensitive path ${JSON.stringify(path)} is not in its ${part}: ${why}.`,
    );
  if (!Array.isArray(paths)) throw refuse(paths, 'give a list of paths such as ["/iban", "/cards/*/number"]');
  for (const path of paths as readonly string[]) {
    const parts = readPath(path);
    if (parts === null)
      throw refuse(path, 'a path begins with "/", and "*" is every element of an array or key of a record');
    const { nodes, names } = findAtPath(schema, parts);
    if (nodes.length === 0)
      throw refuse(path, names.length === 0 ? 'there is nothing below it' : `there is ${names.join(', ')}`);
  }
  const given = [...new Set(paths as readonly string[])].sort();
  return Object.freeze(given.filter((path) => !given.some((other) => path !== other && path.startsWith(`${other}/`))));
}

/** Those of the paths that a schema has, too. */
export function presentPaths(paths: readonly string[], schema: JsonSchema): readonly string[] {
  return paths.filter((path) => findAtPath(schema, readPath(path)!).nodes.length > 0);
}

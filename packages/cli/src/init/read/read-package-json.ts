import { PlainError } from '../../plain-error.js';

/** The part of a package.json that is looked at. */
export interface PackageJson {
  readonly name?: string;
  readonly type?: string;
  readonly packageManager?: string;
  readonly workspaces?: unknown;
  readonly prisma?: { readonly schema?: string };
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** @throws PlainError `package_json_invalid` */
export function parsePackageJson(text: string | undefined): PackageJson {
  if (text === undefined) return {};
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new PlainError('package_json_invalid', `package.json is not JSON: ${(error as Error).message}.`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new PlainError('package_json_invalid', 'package.json holds no object.');
  return content;
}

/** The versions of all that it depends on, by name. */
export const dependenciesOf = (json: PackageJson): ReadonlyMap<string, string> =>
  new Map(
    [json.peerDependencies, json.devDependencies, json.dependencies].flatMap((group) => Object.entries(group ?? {})),
  );

import type { Packed } from '../../kit/packed.js';

/** What a check works with. */
export interface Lab {
  /** A folder for everything that it makes. */
  readonly dir: string;
  readonly packed: readonly Packed[];
  /** The folder of pnpm. */
  readonly pnpmDir: string;
  readonly isQuick: boolean;
  /** Versions of Node besides this one. */
  readonly nodes: readonly string[];
}

export interface Check {
  readonly name: string;
  /** What it proves, for `--help` and the table. */
  readonly words: string;
  /** Whether every change runs it. */
  readonly isQuick: boolean;
  /** Resolves with what it found, in a few words. Throws a PlainError that says what is wrong. */
  run(lab: Lab): Promise<string>;
}

/** The entries of a package, as they are imported: `duework`, `duework/worker`. */
export const entriesOf = ({ name, manifest }: Packed): string[] =>
  Object.keys(manifest.exports ?? {})
    .filter((key) => key !== './package.json')
    .map((key) => (key === '.' ? name : `${name}/${key.slice(2)}`));

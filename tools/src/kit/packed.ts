/** One file of a package, as users get it. */
export interface PackedFile {
  /** Below the package. */
  readonly path: string;
  readonly bytes: number;
}

export interface Packed {
  readonly name: string;
  readonly tarball: string;
  readonly tarballBytes: number;
  /** The tarball, unpacked. */
  readonly folder: string;
  readonly files: readonly PackedFile[];
  readonly manifest: Manifest;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  /** None: a command alone. */
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** The entries of a package, as they are imported: `duework`, `duework/worker`. */
export const entriesOf = ({ name, manifest }: Packed): string[] =>
  Object.keys(manifest.exports ?? {})
    .filter((key) => key !== './package.json')
    .map((key) => (key === '.' ? name : `${name}/${key.slice(2)}`));

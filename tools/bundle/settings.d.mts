/** By the name of the file that is made, the one it is made of. */
export type Entries = Readonly<Record<string, string>>;

/** All paths are below the package's folder. */
export interface BundleSettings {
  readonly from: string;
  readonly to: string;
  /** What users import or require, with types. */
  readonly entries: Entries;
  /** Files that are started as a thread, a process or a command: ESM, without types. */
  readonly started?: Entries;
  /** Where a package is published from a folder of its own, because the workspace sees more of it than users do. */
  readonly publishFolder?: string;
}

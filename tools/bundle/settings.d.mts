/** By the name of the file that is made, the one it is made of. */
export type Entries = Readonly<Record<string, string>>;

/** Entries by their names, see `groupModules`. */
export interface Together {
  readonly often: readonly string[];
  /** Those that load little of what the others need: what one of a list needs is apart from what none of it does. */
  readonly apart: readonly (readonly string[])[];
  /** Files that are told apart as if they were entries, by a name: what somebody's bundler drops, it drops by whole files. */
  readonly probes: Entries;
}

export interface BundleSettings {
  /** The folder with the built files, below the package's. */
  readonly from: string;
  /** What users import or require, with types; `index` is the package itself. */
  readonly entries: Entries;
  /** Files that are started as a thread, a process or a command: ESM, without types. */
  readonly started?: Entries;
  /** The commands, by name: which of `started` they are. */
  readonly bin?: Readonly<Record<string, string>>;
  /** Folders of the package that are published as they are. */
  readonly copied?: readonly string[];
  /** Built modules that both bundles load and neither has in it, because they are large: paths below `from`, without their ending. */
  readonly once?: readonly string[];
  /** Which entries get few files. */
  readonly together?: Together | undefined;
  /** Packages whose files are inside and are no modules of the bundle: their licences go with it. */
  readonly holds?: readonly string[];
}

/** What sends the user's own statements: their transaction is the one that `enqueue` joins. */
export type Client = 'prisma' | 'drizzle' | 'typeorm' | 'kysely' | 'knex' | 'postgres' | 'pg';
export type Framework = 'next' | 'nest' | 'fastify' | 'express' | 'hono';
export type Validator = 'zod' | 'valibot' | 'arktype';
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';
export type TestRunner = 'vitest' | 'jest' | 'node';

/** What Prisma's schema says about the client that it generates. */
export interface PrismaClientFacts {
  readonly isBefore7: boolean;
  /** The module that exports PrismaClient: a package, or a path from the project's folder. */
  readonly module: { readonly name: string } | { readonly path: string };
}

/** How a contract is written with a version of zod. */
export interface ZodFacts {
  readonly module: 'zod' | 'zod/v4';
  /** It cannot be asked for a JSON Schema, which is written beside it then. */
  readonly needsJsonSchema: boolean;
}

/** How a worker in TypeScript is built for production. */
export interface BuildFacts {
  readonly tool: 'tsc' | 'esbuild';
  readonly format: 'esm' | 'cjs';
  /** The folder of which the build makes `outDir`. */
  readonly rootDir: string;
  readonly outDir: string;
  /** The program that it makes of the worker. */
  readonly worker: string;
  /** What its tsconfig has to say against that of the project. */
  readonly overrides: Readonly<Record<string, boolean>>;
}

/** The package of a workspace that keeps the contracts; its paths are from the project's folder. */
export interface ContractsPackage {
  readonly path: string;
  readonly name: string;
  /** The package from which it has `defineJob`. */
  readonly define: '@duework/contracts' | 'duework';
  readonly validator: Validator;
  readonly zod: ZodFacts;
  /** Where the new contract comes. */
  readonly file: string;
  /** What exports it. */
  readonly index: string;
  /** Others import what its script `build` makes. */
  readonly isBuilt: boolean;
}

/** What `readProject` saw. */
export interface Project {
  readonly name: string;
  readonly packageManager: PackageManager;
  /** The folders of a workspace's packages, of whose root this is the folder; undefined: it is none. */
  readonly workspace: readonly string[] | undefined;
  /** It has sources of its own, or depends on what a program has: the root of a workspace may hold packages alone. */
  readonly isProgram: boolean;
  /** What the package manager must be told before it installs in the root of a workspace; undefined: nothing. */
  readonly rootFlag: '-w' | '-W' | undefined;
  /** undefined: there is none yet. */
  readonly packageJson: string | undefined;
  /** The names in `dependencies`, `devDependencies` and `peerDependencies`. */
  readonly installed: ReadonlySet<string>;
  readonly client: Client;
  readonly prisma: PrismaClientFacts | undefined;
  /** Drizzle's driver decides about the type of its client. */
  readonly drizzleDriver: 'node-postgres' | 'postgres-js' | 'neon-serverless';
  readonly framework: Framework | undefined;
  readonly validator: Validator;
  readonly zod: ZodFacts;
  readonly testRunner: TestRunner;
  readonly hasTsconfig: boolean;
  /** How source files end. */
  readonly extension: 'ts' | 'js' | 'mjs';
  /** How an import of a source file ends. */
  readonly importSuffix: '' | '.js' | '.mjs' | '.ts';
  /** ES modules, where `await` may stand at the top of a file. */
  readonly isModule: boolean;
  /** Where sources are: `src/`, or empty. */
  readonly sourceDir: '' | 'src/';
  /** undefined: it is written in JavaScript. */
  readonly build: BuildFacts | undefined;
  /** undefined: the contracts are beside the handlers. */
  readonly contracts: ContractsPackage | undefined;
  /** The folder of the tests; undefined: they are beside what they test. */
  readonly testDir: string | undefined;
  /** undefined: there is none. */
  readonly gitignore: string | undefined;
}

/** The project's files, by their paths from its folder; `../` leads out of it. */
export interface ProjectFiles {
  /** The name of the folder. */
  readonly name: string;
  /** undefined: there is no such file. */
  readonly read: (path: string) => string | undefined;
  readonly hasFolder: (path: string) => boolean;
  /** The names of the folders in a folder; none where it does not exist. */
  readonly foldersIn: (path: string) => readonly string[];
}

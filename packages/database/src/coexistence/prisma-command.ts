/**
 * Prisma's own command in a project of a team. Its schema engine, a program that it would download, is Prisma's engine as
 * WebAssembly here, which lives in this process: the command starts a program that only passes on what both say.
 *
 * One thing is not the engine's own: before each use of a `shadowDatabaseUrl` the native engine drops the schemas that
 * the team's schema.prisma names, `public` unless it names some (`sql_schema_from_migration_history_for_external_db` in
 * prisma-engines), and no more of that database. The one for WebAssembly is given its shadow database, and so it is done
 * here.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { makeTestDir } from '../testing/make-test-dir.js';
import { openEngine, type OpenedEngine } from './open-prisma-migrate.js';

export interface PrismaProject {
  /** `prisma/migrations` */
  readonly migrations: string;
  /** Runs `prisma` with these arguments. Rejects with what it has said where it fails. */
  prisma(...args: readonly string[]): Promise<string>;
  /** Writes another schema.prisma, or one beside it. */
  writeSchema(datamodel: string, path?: string): void;
  /** The names of the models in a schema. */
  readModels(path: string): readonly string[];
  close(): void;
}

export interface PrismaProjectOptions {
  /** What the command finds in its environment beside what it needs to run here. */
  readonly env: NodeJS.ProcessEnv;
  readonly url: string;
  readonly shadowDatabaseUrl?: string;
  readonly datamodel: string;
  readonly externalTables?: readonly string[];
}

const fromTools = createRequire(fileURLToPath(new URL('../../../../tools/package.json', import.meta.url)));
const withoutStudio = fileURLToPath(new URL('../../scripts/without-studio.cjs', import.meta.url));

export async function openPrismaProject(options: PrismaProjectOptions): Promise<PrismaProject> {
  const { env, url, shadowDatabaseUrl, datamodel, externalTables = [] } = options;
  const dir = makeTestDir();
  const at = (...path: readonly string[]): string => join(dir, ...path);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const config = {
    schema: 'prisma/schema.prisma',
    migrations: { path: 'prisma/migrations' },
    datasource: { url, ...(shadowDatabaseUrl !== undefined && { shadowDatabaseUrl }) },
    ...(externalTables.length > 0 && { experimental: { externalTables: true }, tables: { external: externalTables } }),
  };
  write('prisma.config.mjs', `export default ${JSON.stringify(config)};`);
  write('prisma/schema.prisma', datamodel);
  write(
    'terminal.cjs',
    `require(${JSON.stringify(withoutStudio)}); 
// asked for by \`migrate dev\` alone, before it asks for the name of a migration; others would draw
if (process.argv.includes('dev')) process.stdin.isTTY = true;`,
  );
  const server = createServer(
    (socket) => void serveEngine(socket).catch((error: unknown) => socket.destroy(error as Error)),
  );
  await new Promise<void>((resolve) => server.listen(at('engine.sock'), resolve));
  write('schema-engine', engineProgram(at('engine.sock')));
  chmodSync(at('schema-engine'), 0o755);
  return {
    migrations: at('prisma/migrations'),
    prisma: (...args) => run(dir, env, args),
    writeSchema: (text, path = 'prisma/schema.prisma') => write(path, text),
    readModels: (path) => [...readFileSync(at(path), 'utf8').matchAll(/^model (\w+)/gm)].map(([, name]) => name ?? ''),
    close: () => {
      server.close();
      rmSync(dir, { recursive: true });
    },
  };
}

const engineProgram = (path: string): string => `#!${process.execPath}
// "cli can-connect-to-database": it can
if (process.argv.includes('cli')) process.exit(0);
const socket = require('node:net').connect(${JSON.stringify(path)});
socket.write(JSON.stringify(process.argv.slice(2)) + '\\n');
process.stdin.pipe(socket);
socket.pipe(process.stdout);
`;

function run(dir: string, given: NodeJS.ProcessEnv, args: readonly string[]): Promise<string> {
  const env = {
    ...given,
    PRISMA_SCHEMA_ENGINE_BINARY: join(dir, 'schema-engine'),
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
    NO_COLOR: '1',
  };
  const command = ['--require', join(dir, 'terminal.cjs'), fromTools.resolve('prisma/build/index.js'), ...args];
  const child = spawn(process.execPath, command, { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => (code === 0 ? resolve(said) : reject(new Error(`prisma ${args.join(' ')}: ${said}`))));
  });
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

/**
 * Speaks the engine's JSON-RPC: the first line is the program's arguments, each one behind it a call. Each call has an
 * engine of its own, which diagnoses first where it needs a shadow database: the one for WebAssembly knows none before,
 * and none any more once it has applied migrations.
 */
async function serveEngine(socket: Socket): Promise<void> {
  const send = (answer: object): void => void socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...answer })}\n`);
  let args: readonly string[] | undefined;
  for await (const line of createInterface({ input: socket })) {
    if (args === undefined) {
      args = JSON.parse(line) as string[];
      continue;
    }
    const { id, method, params } = JSON.parse(line) as Call;
    const { engine, close } = await openAsTold(args);
    const calls = engine as unknown as Record<string, (params: unknown) => Promise<unknown>>;
    try {
      if (method === 'evaluateDataLoss' || method === 'createMigration') await calls['devDiagnostic']!(params);
      send({ id, result: (await calls[method === 'getDatabaseVersion' ? 'version' : method]!(params)) ?? null });
    } catch (error) {
      const { message, code } = error as { message: string; code?: string };
      send({ id, error: { code: 4466, message, data: { is_panic: false, message, error_code: code } } });
    } finally {
      await close();
    }
  }
}

function openAsTold(args: readonly string[]): Promise<OpenedEngine> {
  const valuesOf = (name: string): string[] => args.filter((_, place) => args[place - 1] === name);
  const datamodels = valuesOf('--datamodels').map((path): [string, string] => [path, readFileSync(path, 'utf8')]);
  const { url, shadowDatabaseUrl } = JSON.parse(valuesOf('--datasource')[0]!) as {
    readonly url: string;
    readonly shadowDatabaseUrl?: string;
  };
  return openEngine(url, datamodels, shadowDatabaseUrl);
}

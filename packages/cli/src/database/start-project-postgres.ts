import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { importInstalled } from '@duework/queue-core/handling';

/** The part of @duework/embedded that is used; it is loaded from the project, which may not have it. */
interface Embedded {
  readonly startEmbeddedPostgres: (options: {
    readonly dataDir: string;
    readonly port: number;
    readonly database: string;
    readonly onProgress: (line: string) => void;
  }) => Promise<ProjectPostgres>;
}

export interface ProjectPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL server of a project, whose files are in `.duework/postgres` below its folder; undefined when
 * `@duework/embedded` is not installed there. Its port is the same at every start, unless another program has it.
 */
export async function startProjectPostgres(
  dir: string,
  onProgress: (line: string) => void,
): Promise<ProjectPostgres | undefined> {
  const embedded = await importInstalled<Embedded>(join(dir, 'package.json'), '@duework/embedded', '.');
  if (embedded === undefined) return undefined;
  const start = (port: number): Promise<ProjectPostgres> =>
    embedded.startEmbeddedPostgres({
      dataDir: join(dir, '.duework/postgres'),
      port,
      database: toDatabaseName(basename(dir)),
      onProgress,
    });
  try {
    return await start(portOf(dir));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'embedded_port_taken') throw error;
    return start(0);
  }
}

const FIRST_PORT = 20_000;
const PORTS = 10_000;

/** Below the ports that operating systems hand out by themselves. */
const portOf = (dir: string): number =>
  FIRST_PORT + (createHash('sha256').update(dir).digest().readUInt32BE(0) % PORTS);

const toDatabaseName = (folder: string): string =>
  folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60) || 'app';

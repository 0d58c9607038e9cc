import { cpSync, mkdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { runCommand } from '../../../kit/run-command.js';
import { readDockerfile, type Instruction } from './read-dockerfile.js';

type Env = Readonly<Record<string, string>>;

/** What a container of the image is started with. */
export interface Image {
  /** Where its programs are started. */
  readonly workdir: string;
  /** As ENV sets it. */
  readonly env: Env;
  readonly user: string | undefined;
  readonly command: readonly string[];
  /** What HEALTHCHECK runs. */
  readonly healthcheck: readonly string[];
}

export interface BuildOptions {
  readonly dockerfile: string;
  /** The lines of its .dockerignore. */
  readonly ignored: readonly string[];
  readonly context: string;
  /** Gets a folder for each stage, which stands for its file system. */
  readonly dir: string;
  /** Where packages come from. */
  readonly env: Env;
}

/**
 * Does by hand what `docker build` would do where there is no engine: each COPY and RUN, in a folder for each stage. The base
 * images are not there: Node is the one of this machine, or of the PATH in `env`.
 *
 * @returns the images of its stages, in their order
 * @throws PlainError for a step that fails, or that is not known here
 */
export async function buildImage({ dockerfile, ignored, context, dir, env }: BuildOptions): Promise<Image[]> {
  const roots = new Map<string | undefined, string>();
  const images: Image[] = [];
  for (const [at, { name, instructions }] of readDockerfile(dockerfile).entries()) {
    const root = join(dir, `stage-${at}`);
    mkdirSync(root, { recursive: true });
    roots.set(name, root);
    let image: Image = { workdir: root, env: {}, user: undefined, command: [], healthcheck: [] };
    for (const instruction of instructions) {
      if (instruction.name === 'COPY') copy(instruction.rest, { roots, root, context, ignored, to: image.workdir });
      else if (instruction.name === 'RUN')
        await runCommand('sh', ['-ec', instruction.rest], { cwd: image.workdir, env: { ...env, ...image.env } });
      else image = { ...image, ...configure(instruction, image, root) };
    }
    images.push(image);
  }
  return images;
}

interface CopyParts extends Pick<BuildOptions, 'context' | 'ignored'> {
  readonly roots: ReadonlyMap<string | undefined, string>;
  readonly root: string;
  readonly to: string;
}

function copy(rest: string, { roots, root, context, ignored, to }: CopyParts): void {
  const words = rest.split(/\s+/);
  const [, stage] = /^--from=(\w+)$/.exec(words[0]!) ?? [];
  const [target, ...sources] = words.slice(stage === undefined ? 0 : 1).toReversed();
  const from = stage === undefined ? context : roots.get(stage);
  if (from === undefined) throw new PlainError(`COPY ${rest}: there is no stage ${stage}.`);
  const isSent = (path: string): boolean => stage !== undefined || !ignored.some(matches(relative(from, path)));
  for (const source of sources) {
    const path = join(from, source);
    const isWhole = source === '.' || !target!.endsWith('/');
    const into = target!.startsWith('/') ? join(root, target!) : join(to, target!);
    cpSync(path, isWhole ? into : join(into, basename(path)), {
      recursive: true,
      verbatimSymlinks: true,
      filter: isSent,
    });
  }
}

/** `name` is at the top of the context; `**` and a slash before it: anywhere below; `*` is any part of a name. */
const matches =
  (path: string) =>
  (pattern: string): boolean => {
    const isAnywhere = pattern.startsWith('**/');
    const name = new RegExp(
      `^${(isAnywhere ? pattern.slice(3) : pattern).replaceAll('.', '\\.').replaceAll('*', '.*')}$`,
    );
    const names = path.split('/');
    return (isAnywhere ? names : names.slice(0, 1)).some((each) => name.test(each));
  };

function configure({ name, rest }: Instruction, { env, workdir }: Image, root: string): Partial<Image> {
  switch (name) {
    case 'WORKDIR':
      mkdirSync(join(root, rest), { recursive: true });
      return { workdir: join(root, rest) };
    case 'ENV':
      return { env: { ...env, ...Object.fromEntries(rest.split(/\s+/).map((pair) => pair.split('=', 2))) } };
    case 'USER':
      return { user: rest };
    case 'EXPOSE':
      return { workdir };
    case 'HEALTHCHECK':
      return { healthcheck: JSON.parse(rest.slice(rest.indexOf('CMD') + 'CMD'.length)) as string[] };
    case 'CMD':
      return { command: JSON.parse(rest) as string[] };
    default:
      throw new PlainError(`This step is not known here: ${name} ${rest}`);
  }
}

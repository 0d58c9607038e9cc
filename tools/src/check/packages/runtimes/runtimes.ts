/**
 * The runtimes that the packages are used on. Each program comes out of npm's package for this system, in one pinned
 * version. The table of docs/look-up/packages.md is written from here.
 */
import { nodePackage, NODES } from '../pinned-versions.js';

/** What a job is dead of whose only attempt threw in a timer, or in a promise that nobody awaits. */
export type ErrorCode = 'uncaught_error' | 'process_failed';

export interface Runtime {
  /** As the table and the folder call it: `node-20`. */
  readonly name: string;
  readonly version: string;
  /** The dependency that brings it. */
  readonly source: string;
  /** The program below that dependency. */
  readonly program: string;
  /** What the program is given before the file. */
  readonly args: readonly string[];
  /** A runtime that forgets the async context of what threw leaves the worker to find out who it was. */
  readonly thrown: { readonly timer: ErrorCode; readonly promise: ErrorCode };
}

const { platform, arch } = process;

export const runtimes: readonly Runtime[] = [
  ...NODES.map((version) => ({
    name: `node-${version.split('.')[0]}`,
    version,
    source: nodePackage(version),
    program: 'bin/node',
    args: [],
    thrown: { timer: 'uncaught_error', promise: 'uncaught_error' } as const,
  })),
  {
    name: 'bun',
    version: '1.4.5',
    source: `npm:@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}@1.4.5`,
    program: 'bin/bun',
    args: [],
    thrown: { timer: 'uncaught_error', promise: 'process_failed' },
  },
  {
    name: 'deno',
    version: '2.9.6',
    source: `npm:@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}@2.9.6`,
    program: 'deno',
    args: ['run', '--allow-all', '--node-modules-dir=manual'],
    thrown: { timer: 'process_failed', promise: 'uncaught_error' },
  },
];

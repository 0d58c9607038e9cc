import type { Writable } from 'node:stream';

/** `duework … | head`: whoever read has gone, so there is nobody to tell, and the program ends as it would have. */
export function ignoreClosedOutput(output: Writable): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

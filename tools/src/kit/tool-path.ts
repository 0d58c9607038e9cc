import { join } from 'node:path';
import { root } from '../../bootstrap/paths.mjs';

/**
 * The path of a built file of the tools, for starting it as a process or a thread; also from a test, which runs from
 * the sources.
 *
 * @param file below tools/src, as it is called when built: `break/torture/processes/worker.js`
 */
export const toolPath = (file: string): string => join(root, 'tools/dist/src', file);

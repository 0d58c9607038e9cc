/** `npm run release -- version`: the versions and changelogs that the pending changesets ask for. */
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { versionPackages } from '../dry/version-packages.js';

const SUMMARY = `Gives all published packages their next version, out of the changesets in .changeset, which become changelogs. The examples ask for that version, too.`;

const program = createProgram('release version', SUMMARY);

await runProgram(program, async () => {
  process.stdout.write(
    `The packages are ${await versionPackages(root)} now. See docs/internals/releasing.md for what is next.\n`,
  );
  return 0;
});

/** `npm run test:postgres -- 14 15 16 17`: the tests on other versions of PostgreSQL, one after the other. */
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { postgresVersions } from './install-postgres.js';
import { testOnVersions } from './test-on-versions.js';

const isVersion = (argument: string): boolean => /^\d+(\.\d+)*(-\S+)?$/.test(argument);

const program = createProgram(
  'test:postgres',
  'Runs the tests on other versions of PostgreSQL, one after the other, and ends with a table. What is no number goes to jest: -- 14 packages/queue-core',
)
  .usage('[versions] [paths and options of jest]')
  .argument(
    '[what...]',
    `versions: ${Object.keys(postgresVersions).join(', ')}, or full ones; all of them unless given`,
  )
  .allowUnknownOption()
  .allowExcessArguments();

await runProgram(program, () => {
  const given = program.args.filter(isVersion);
  return testOnVersions(
    given.length > 0 ? given : Object.keys(postgresVersions),
    program.args.filter((argument) => !isVersion(argument)),
  );
});

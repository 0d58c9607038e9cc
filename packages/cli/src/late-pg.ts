import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PlainError } from './plain-error.js';
import { sayInstall } from './project/install-command.js';

/**
 * Stands for `pg` in a command that was started without it, as by `npx duework init` in an empty folder: it is the one of
 * the project, which `init` may have installed only now.
 */
const latePg: object = new Proxy(
  {},
  {
    get(_, name): unknown {
      return (loadPg() as Readonly<Record<PropertyKey, unknown>>)[name];
    },
  },
);
export default latePg;

function loadPg(): unknown {
  try {
    return createRequire(join(process.cwd(), 'package.json'))('pg');
  } catch (cause) {
    const install = sayInstall(process.cwd(), ['pg'], { isDev: false });
    const message = `The command talks to PostgreSQL through the package pg, which is not installed: ${install}`;
    throw new PlainError('pg_missing', message, { cause });
  }
}

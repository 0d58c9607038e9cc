/** The command as users have it; `main` is what it is once `pg` is settled. */
import { createRequire, register } from 'node:module';

// pg is the user's choice: without it the command starts all the same, and loads the project's when a database is asked
if (!hasPg()) register(`data:text/javascript,${encodeURIComponent(hooks())}`);
await import('./main.js');

function hasPg(): boolean {
  try {
    createRequire(import.meta.url).resolve('pg');
    return true;
  } catch {
    return false;
  }
}

function hooks(): string {
  const url = JSON.stringify(new URL('./late-pg.js', import.meta.url).href);
  return `export const resolve = (name, context, next) =>
    name === 'pg' ? { url: ${url}, format: 'module', shortCircuit: true } : next(name, context);`;
}

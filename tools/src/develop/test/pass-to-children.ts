import { ChildProcess } from 'node:child_process';

/** The method through which Node starts every child that it does not wait for; it is not documented. */
interface Spawner {
  spawn(this: ChildProcess, options: { envPairs?: string[] }): unknown;
}

let isPassing = false;

/**
 * From now on every child process of this one gets these variables, whatever environment it is given: tests start
 * programs with hardly any, as they are deployed. A variable that a child is given explicitly stays as it is.
 */
export function passToChildren(names: readonly string[]): void {
  if (isPassing) return;
  isPassing = true;
  const prototype = ChildProcess.prototype as unknown as Spawner;
  const { spawn } = prototype;
  prototype.spawn = function spawnWithVariables(options) {
    const given = options.envPairs ?? [];
    const missing = names.filter((name) => !given.some((pair) => pair.startsWith(`${name}=`)));
    const added = missing.map((name) => `${name}=${process.env[name] ?? ''}`);
    return spawn.call(this, { ...options, envPairs: [...given, ...added] });
  };
}

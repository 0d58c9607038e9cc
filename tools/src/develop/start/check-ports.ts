import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { PlainError } from '../../../bootstrap/plain-error.mjs';

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** The output of a program; empty where it is not installed. */
const ask = (program: string, args: readonly string[]): string =>
  spawnSync(program, args, { encoding: 'utf8', timeout: 3_000 }).stdout ?? '';

/** `node (process 4711)`, as far as the machine tells it. */
function holderOf(port: number): string {
  const listed = ask('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']);
  const pid = /^p(\d+)$/m.exec(listed)?.[1];
  if (pid !== undefined) return `${/^c(.+)$/m.exec(listed)?.[1] ?? 'a program'} (process ${pid})`;
  const found = /\(\("([^"]+)",pid=(\d+)/.exec(ask('ss', ['-ltnpH', `sport = :${port}`]));
  return found === null ? 'another program' : `${found[1]} (process ${found[2]})`;
}

export interface WantedPort {
  readonly variable: string;
  readonly port: number;
}

/** @throws PlainError naming the port, the process that has it and the variable to set */
export async function checkPorts(wanted: readonly WantedPort[]): Promise<void> {
  for (const [index, { variable, port }] of wanted.entries()) {
    const twin = wanted.slice(0, index).find((other) => other.port === port);
    if (twin !== undefined)
      throw new PlainError(`${variable} and ${twin.variable} are both ${port}. Set one of them to another port.`);
    if (await isFree(port)) continue;
    throw new PlainError(
      `Port ${port} is taken by ${holderOf(port)}. Stop it, or choose another port: ${variable}=${port + 100} npm start`,
    );
  }
}

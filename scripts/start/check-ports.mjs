import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { PlainError } from '../lib/plain-error.mjs';

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** `node (process 4711)`, as far as the machine tells. */
function holderOf(port) {
  const { stdout } = spawnSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
    encoding: 'utf8',
    timeout: 3_000,
  });
  const pid = /^p(\d+)$/m.exec(stdout ?? '')?.[1];
  if (pid !== undefined) return `${/^c(.+)$/m.exec(stdout)?.[1] ?? 'a program'} (process ${pid})`;
  const { stdout: sockets } = spawnSync('ss', ['-ltnpH', `sport = :${port}`], { encoding: 'utf8', timeout: 3_000 });
  const found = /\(\("([^"]+)",pid=(\d+)/.exec(sockets ?? '');
  return found === null ? 'another program' : `${found[1]} (process ${found[2]})`;
}

/**
 * @param {{ variable: string, port: number }[]} wanted
 * @throws {PlainError} naming the port, who has it and the variable to set
 */
export async function checkPorts(wanted) {
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

import { createInterface } from 'node:readline/promises';

/** Asks who is at the terminal for one of several names, by its number or as it is; undefined: neither was given. */
export async function askChoice(question: string, names: readonly string[]): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const leaving = new AbortController();
  terminal.once('SIGINT', () => leaving.abort());
  terminal.once('close', () => leaving.abort());
  try {
    process.stderr.write(names.map((name, index) => `${String(index + 1).padStart(3)}  ${name}\n`).join(''));
    const answer = (await terminal.question(`${question} [1] `, { signal: leaving.signal })).trim() || '1';
    return names[Number(answer) - 1] ?? names.find((name) => name === answer);
  } catch {
    process.stderr.write('\n');
    return undefined;
  } finally {
    terminal.close();
  }
}

import { createInterface } from 'node:readline/promises';

/** Asks the person at the terminal, on stderr, because stdout is for answers; anything but yes is no. */
export async function askPerson(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const leaving = new AbortController();
  terminal.once('SIGINT', () => leaving.abort());
  terminal.once('close', () => leaving.abort());
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal: leaving.signal });
    return /^(y|yes)$/i.test(answer.trim());
  } catch {
    process.stderr.write('\n');
    return false;
  } finally {
    terminal.close();
  }
}

import { PlainError } from '../../../../bootstrap/plain-error.mjs';

/** One line of a Dockerfile: `COPY` and what comes behind it. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export interface Stage {
  /** undefined: nothing copies from it. */
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/**
 * The stages of a Dockerfile, in their order; a line that ends in a backslash goes on in the next one.
 *
 * @throws PlainError when it does not begin with a stage
 */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  const stages: { name: string | undefined; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === 'FROM') stages.push({ name: / AS (\w+)$/i.exec(rest)?.[1], instructions: [] });
    else if (stages.length === 0) throw new PlainError(`The Dockerfile does not begin with FROM: ${line}`);
    else stages.at(-1)!.instructions.push({ name, rest });
  }
  return stages;
}

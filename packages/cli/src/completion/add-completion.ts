import { Argument, type Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { renderCompletion, SHELLS, type Shell } from './render-completion.js';

/** `duework completion` */
export function addCompletion(program: Command, { write }: CommandParts): void {
  program
    .command('completion')
    .description('Print the completion script of your shell: source <(duework completion bash)')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => write(renderCompletion(program, shell)));
}

import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script of that shell which completes the names of commands, and the options of each. */
export function renderCompletion(program: Command, shell: Shell): string {
  const name = program.name();
  const commands = program.commands.map((command) => ({
    name: command.name(),
    says: command.description().replaceAll("'", '’'),
    words: [...command.commands.map((child) => child.name()), ...optionsOf(command)],
  }));
  if (shell === 'fish') return renderFish(name, commands);
  const cases = commands.map((command) => `    ${command.name}) words="${command.words.join(' ')}" ;;`).join('\n');
  const first = [...commands.map((command) => command.name), ...optionsOf(program)].join(' ');
  const bash = `_${name}() {
  local word words="${first}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
${cases.replaceAll(/^/gm, '  ')}
    esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`;
  return shell === 'zsh'
    ? `autoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n${bash}`
    : bash;
}

const optionsOf = (command: Command): string[] => command.options.flatMap(({ long }) => long ?? []);

interface Completed {
  readonly name: string;
  readonly says: string;
  readonly words: readonly string[];
}

const renderFish = (name: string, commands: readonly Completed[]): string =>
  commands
    .flatMap((command) => [
      `complete -c ${name} -f -n __fish_use_subcommand -a ${command.name} -d '${command.says}'`,
      ...command.words.map((word) => {
        const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
        return `complete -c ${name} -n '__fish_seen_subcommand_from ${command.name}' ${what}`;
      }),
    ])
    .join('\n') + '\n';

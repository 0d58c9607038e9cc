import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script of that shell which completes the names of commands, the options of each, and the values that it chooses from. */
export function renderCompletion(program: Command, shell: Shell): string {
  const name = program.name();
  const commands = program.commands.flatMap((command) => describe(command, []));
  if (shell === 'fish') return renderFish(name, commands);
  const cases = commands.map(
    ({ path, words }) => `      "${path.join(' ')}") path="$next" words="${words.join(' ')}" ;;`,
  );
  const first = [...program.commands.map((command) => command.name()), ...optionsOf(program)].join(' ');
  const bash = `_${name}() {
  local word next path="" words="${first}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
${cases.join('\n')}
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

interface Completed {
  /** `bulk`, `retry`. */
  readonly path: readonly string[];
  readonly says: string;
  readonly words: readonly string[];
}

function describe(command: Command, above: readonly string[]): Completed[] {
  const path = [...above, command.name()];
  const words = [
    ...command.commands.map((child) => child.name()),
    ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ...optionsOf(command),
  ];
  const says = command.description().replaceAll("'", '’');
  return [{ path, says, words }, ...command.commands.flatMap((child) => describe(child, path))];
}

const optionsOf = (command: Command): string[] => command.options.flatMap(({ long }) => long ?? []);

const renderFish = (name: string, commands: readonly Completed[]): string =>
  commands
    .flatMap(({ path, says, words }) => {
      const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
      return [
        ...(path.length === 1 ? [`complete -c ${name} -f -n __fish_use_subcommand -a ${path[0]!} -d '${says}'`] : []),
        ...words.map((word) => {
          const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
          return `complete -c ${name} -n '${seen}' ${what}`;
        }),
      ];
    })
    .join('\n') + '\n';

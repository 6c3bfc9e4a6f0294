import { BackstepError } from "../../base/error.ts";
import { type Command, optionsOf, type OptionSpec, takesNextWord } from "../command.ts";

/** `backstep completions bash|zsh|fish`, of the commands that there are. */
export const completionsOf = (commands: () => readonly Command[]): Command => ({
  name: "completions",
  summary: "Print a completion script for a shell",
  positionals: [{
    name: "shell",
    description: "bash, zsh or fish",
    required: true,
    choices: ["bash", "zsh", "fish"],
  }],
  options: [],
  examples: [
    "backstep completions bash > ~/.local/share/bash-completion/completions/backstep",
    "backstep completions zsh > ~/.zfunc/_backstep",
    "backstep completions fish > ~/.config/fish/completions/backstep.fish",
  ],
  run(args, io) {
    const shell = args.positionals[0] ?? "";
    const script = { bash, zsh, fish }[shell];
    if (!script) {
      throw new BackstepError("usage", `Cannot print completions for "${shell}"`, {
        hint: "Possible: bash, zsh, fish.",
      });
    }
    io.raw(script(commands()));
    return Promise.resolve(0);
  },
});

/** A text inside single quotes of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The words that an option's value is one of, or is offered. */
function valuesOf(option: OptionSpec): readonly string[] {
  return option.choices ?? option.suggests ?? [];
}

/** The words that a command's first argument is one of. */
function verbsOf(command: Command): readonly string[] {
  return command.positionals[0]?.choices ?? [];
}

function bash(commands: readonly Command[]): string {
  const words = (list: readonly string[]) => `COMPREPLY=($(compgen -W ${quoted(list.join(" "))} -- "$word"))`;
  const cases = commands.map((command) => {
    const options = optionsOf(command);
    const values = options.filter((o) => valuesOf(o).length > 0)
      .map((o) => `      --${o.name}) ${words(valuesOf(o))}; return ;;`);
    const files = options.filter((o) => takesNextWord(o) && valuesOf(o).length === 0).map((o) =>
      `--${o.name}`
    );
    const verbs = verbsOf(command);
    return [
      `    ${command.name})`,
      `      case "$before" in`,
      ...values,
      ...(files.length > 0 ? [`      ${files.join("|")}) return ;;`] : []),
      `      esac`,
      `      if [[ $word == -* ]]; then ${words(options.map((o) => `--${o.name}`))}`,
      ...(verbs.length > 0 ? [`      elif [[ $COMP_CWORD -eq 2 ]]; then ${words(verbs)}`] : []),
      `      fi ;;`,
    ].join("\n");
  });
  const names = commands.map((c) => c.name);
  return `# bash completion of backstep; written by \`backstep completions bash\`
_backstep() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    ${words([...names, "help"])}
    return
  fi
  case "\${COMP_WORDS[1]}" in
    help) ${words(names)} ;;
${cases.join("\n")}
  esac
}
complete -o default -F _backstep backstep
`;
}

function zsh(commands: readonly Command[]): string {
  const list = commands.map((c) => `    ${quoted(`${c.name}:${c.summary.replaceAll(":", " ")}`)}`).join("\n");
  const cases = commands.map((command) => {
    const specs = optionsOf(command).map((o) => {
      const text = o.description.replaceAll(/[[\]:]/g, " ");
      const value = !takesNextWord(o)
        ? ""
        : `:${o.name}:${valuesOf(o).length > 0 ? `(${valuesOf(o).join(" ")})` : "_files"}`;
      return `      ${quoted(`--${o.name}[${text}]${value}`)}`;
    });
    const verbs = verbsOf(command);
    const argument = verbs.length > 0
      ? `      ${quoted(`2:${command.positionals[0]?.name ?? "verb"}:(${verbs.join(" ")})`)}`
      : "      '*:file:_files'";
    return `    ${command.name})\n    _arguments \\\n${[...specs, argument].join(" \\\n")} ;;`;
  });
  return `#compdef backstep
# zsh completion of backstep; written by \`backstep completions zsh\`
_backstep() {
  local -a commands
  commands=(
${list}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${cases.join("\n")}
  esac
}
_backstep "$@"
`;
}

function fish(commands: readonly Command[]): string {
  const lines = ["# fish completion of backstep; written by `backstep completions fish`"];
  for (const command of commands) {
    lines.push(
      `complete -c backstep -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
    );
    const verbs = verbsOf(command);
    if (verbs.length > 0) {
      lines.push(
        `complete -c backstep -f -n '__fish_seen_subcommand_from ${command.name}' -a ${
          quoted(verbs.join(" "))
        }`,
      );
    }
    for (const option of optionsOf(command)) {
      const value = !takesNextWord(option)
        ? ""
        : valuesOf(option).length > 0
        ? ` -x -a ${quoted(valuesOf(option).join(" "))}`
        : " -r";
      lines.push(
        `complete -c backstep -n '__fish_seen_subcommand_from ${command.name}' -l ${option.name}${value} -d ${
          quoted(option.description)
        }`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}
